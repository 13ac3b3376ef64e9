//! Enums whose values have a text.

/// Declares an enum that is shown as text: behind each variant stands its format string, which may name the variant's
/// fields, with any other arguments. The enum is otherwise as it is written. (`derive_more::Display` would do the same, and bring six
/// crates; `thiserror` would call each of these values an error.)
///
/// ```
/// leyden_protocol::worded! {
///     /// Why somebody is late.
///     pub enum Delay {
///         Rain => "it rains";
///         Train { minutes: u32 } => "the train is {minutes} min late";
///         Queue(before: usize) => "{} people stand in the queue", before + 1;
///     }
/// }
///
/// let delays = [Delay::Rain, Delay::Train { minutes: 5 }, Delay::Queue(2)];
/// let texts = ["it rains", "the train is 5 min late", "3 people stand in the queue"];
/// assert_eq!(delays.map(|delay| delay.to_string()), texts);
/// ```
#[macro_export]
macro_rules! worded {
    (
        $(#[$of_all:meta])*
        $visibility:vis enum $name:ident {
            $(
                $(#[$of_one:meta])*
                $variant:ident
                    $({ $($(#[$of_field:meta])* $field:ident: $kind:ty),+ })? $(( $($part:ident: $type:ty),+ ))?
                    => $text:literal $(, $value:expr)*;
            )+
        }
    ) => {
        $(#[$of_all])*
        $visibility enum $name {
            $($(#[$of_one])* $variant $({ $($(#[$of_field])* $field: $kind),+ })? $(( $($type),+ ))?,)+
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? $(( $($part),+ ))? => write!(f, $text $(, $value)*),)+
                }
            }
        }
    };
}
