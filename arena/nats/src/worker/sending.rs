//! Sends what comes of batches, piece by piece, until the server has it.

use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::messages::{Outgoing, ResultPart, TaskMessage};
use crate::connection::{ANSWER, Connection};
use crate::results::is_there_already;

/// Sends one piece after the other, each until the server has it or nobody wants it any more.
pub(super) async fn send_all(
    connection: Connection,
    mut outgoing: UnboundedReceiver<Outgoing>,
    tell: UnboundedSender<TaskMessage>,
) {
    while let Some(post) = outgoing.recv().await {
        let piece = match post {
            Outgoing::Piece(piece) => *piece,
            Outgoing::Flush => {
                drop(tell.send(TaskMessage::Flushed));
                continue;
            }
        };
        let mut tries = 0;
        while !piece.cancelled.is_set() {
            tries += 1;
            match send(&connection, &piece, tries).await {
                Ok(()) => {
                    if let Some(receipt) = &piece.receipt {
                        // Nothing depends on it: the coordinator knows that the batch is done.
                        drop(tokio::time::timeout(ANSWER, receipt.double_ack()).await);
                        drop(tell.send(TaskMessage::Sent(piece.key.clone())));
                    }
                    break;
                }
                Err(reason) => {
                    if connection.is_up() {
                        let reason = format!("the NATS server does not take a result; trying on: {reason}");
                        drop(tell.send(TaskMessage::Wrong(reason)));
                    }
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
        }
    }
}

/// What was refused because something is there already was sent before and its receipt lost; but the first time it cannot be
/// ours, and the coordinator takes it away.
async fn send(connection: &Connection, piece: &ResultPart, tries: u32) -> Result<(), String> {
    let stored = async {
        let sent = connection.jetstream.send_publish(piece.subject.clone(), piece.message.clone()).await?;
        sent.await
    };
    match stored.await {
        Ok(_) => Ok(()),
        Err(error) if tries > 1 && is_there_already(&error) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
