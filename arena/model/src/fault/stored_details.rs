//! A fault's details with their message beside them: the form in which records, events and leagues store them. Used as
//! `#[serde(flatten, with = "leyden_model::stored_details")]`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::details::FaultDetails;

/// The message stands beside the values for readers that are no programs of ours, and because files of older versions
/// have nothing else.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct StoredDetails {
    /// What was expected, what came, and what to do: written for the bot's author.
    message: String,
    /// The same as values. Files of older versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    details: Option<FaultDetails>,
}

/// Writes the message, and the values unless they are no more than that.
pub fn serialize<S: Serializer>(details: &FaultDetails, serializer: S) -> Result<S::Ok, S::Error> {
    let message = details.to_string();
    let is_all = *details == FaultDetails::from_text(&message);
    StoredDetails { message, details: (!is_all).then(|| details.clone()) }.serialize(serializer)
}

/// Reads the values, or the message in their place.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultDetails, D::Error> {
    let StoredDetails { message, details } = StoredDetails::deserialize(deserializer)?;
    Ok(details.unwrap_or_else(|| FaultDetails::from_text(message)))
}

#[cfg(test)]
mod tests {
    use super::super::FaultRecord;

    #[test]
    fn unknown_key_beside_message_is_ignored() {
        let json = r#"{"seat":0,"code":"timeout","message":"late","why":"busy"}"#;
        assert_eq!(serde_json::from_str::<FaultRecord>(json).unwrap().message(), "late");
    }
}
