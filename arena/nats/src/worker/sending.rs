//! Sends results, piece by piece, until the server has them.

use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::messages::{Outgoing, ResultPart, TaskMessage};
use crate::connection::{ANSWER, Connection};
use crate::results::is_already_stored;

/// Sends the pieces in order, each until the server has it or it is no longer needed.
pub(super) async fn send_all(
    connection: Connection,
    mut outgoing: UnboundedReceiver<Outgoing>,
    tx: UnboundedSender<TaskMessage>,
) {
    while let Some(post) = outgoing.recv().await {
        let piece = match post {
            Outgoing::Piece(piece) => *piece,
            Outgoing::Flush => {
                drop(tx.send(TaskMessage::Flushed));
                continue;
            }
        };
        let mut tries = 0;
        while !piece.stop.is_cancelled() {
            tries += 1;
            match send(&connection, &piece, tries).await {
                Ok(()) => {
                    if let Some(receipt) = &piece.receipt {
                        // Nothing depends on this: the coordinator knows that the batch is done.
                        drop(tokio::time::timeout(ANSWER, receipt.double_ack()).await);
                        drop(tx.send(TaskMessage::Sent(piece.key.clone())));
                    }
                    break;
                }
                Err(reason) => {
                    if connection.is_up() {
                        let reason = format!("the NATS server does not accept a result; retrying: {reason}");
                        drop(tx.send(TaskMessage::Wrong(reason)));
                    }
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
        }
    }
}

/// Sends a piece. A repeated attempt that is refused because the piece is stored succeeded earlier and lost its receipt. On
/// the first attempt the stored piece cannot be ours; the coordinator removes it.
async fn send(connection: &Connection, piece: &ResultPart, tries: u32) -> Result<(), String> {
    let stored = async {
        let sent = connection.jetstream.send_publish(piece.subject.clone(), piece.message.clone()).await?;
        sent.await
    };
    match stored.await {
        Ok(_) => Ok(()),
        Err(error) if tries > 1 && is_already_stored(&error) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
