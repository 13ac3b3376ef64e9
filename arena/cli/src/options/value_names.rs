//! Values that are typed by name, such as a clock.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A parser of the names that an enum has in a file; the help of each is what its type says of it.
pub(crate) fn value_names<T>() -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
{
    let schema = json!(schemars::schema_for!(T));
    let variants = schema["oneOf"].as_array().expect("variants with a comment each");
    let text = |variant: &Value, key: &str| variant[key].as_str().unwrap_or_default().replace('\n', " ");
    let value = |variant: &Value| {
        let about = text(variant, "description");
        PossibleValue::new(text(variant, "const")).help(about.trim_end_matches('.').to_owned())
    };
    PossibleValuesParser::new(variants.iter().map(value))
        .map(|name| serde_json::from_value(name.into()).expect("a name of its schema"))
}

#[cfg(test)]
mod tests {
    use leyden_arena::format::{Seeding, TieBreak};
    use leyden_arena::report::MatchOrder;
    use leyden_protocol::ClockKind;
    use leyden_stats::EloScale;

    use super::*;

    /// Parses each name, and returns them all.
    fn names<T>() -> Vec<String>
    where
        T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
    {
        let (parser, command) = (value_names::<T>(), clap::Command::new("leyden"));
        let values: Vec<PossibleValue> = parser.possible_values().unwrap().collect();
        let name = |value: &PossibleValue| {
            assert!(!value.get_help().unwrap().to_string().ends_with('.'));
            let name = value.get_name().to_owned();
            assert!(parser.parse_ref(&command, None, name.as_ref()).is_ok(), "{name}");
            name
        };
        assert!(parser.parse_ref(&command, None, "sun".as_ref()).is_err());
        values.iter().map(name).collect()
    }

    #[test]
    fn typed_names_are_those_in_files() {
        assert_eq!(names::<ClockKind>(), ["wall", "cpu"]);
        assert_eq!(names::<Seeding>(), ["list", "rating", "draw"]);
        assert_eq!(names::<MatchOrder>(), ["schedule", "margin", "rounds", "slowest"]);
        assert_eq!(names::<EloScale>(), [EloScale::Normalised, EloScale::Logistic].map(EloScale::as_str));
        assert_eq!(names::<TieBreak>(), TieBreak::ALL.map(TieBreak::as_str));
    }
}
