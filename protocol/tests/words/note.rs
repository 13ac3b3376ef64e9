//! Notes: texts, objects, and what is wrong with one.

use leyden_protocol::{LONGEST_NOTE, Note, NoteError, NoteObject};

use crate::answer::action;

#[test]
fn note_is_cut_between_characters() {
    let cut = |text: &str| match Note::from_text(text) {
        Note::Text(text) => text,
        Note::Object(object) => panic!("{object:?}"),
    };
    assert_eq!(cut("short"), "short");
    assert_eq!(cut(&"a".repeat(501)).len(), LONGEST_NOTE);
    assert_eq!(cut(&format!("{}é", "a".repeat(499))), "a".repeat(499));
    assert_eq!(cut(&"😀".repeat(126)), "😀".repeat(125));
}

#[test]
fn object_is_a_note_or_explained() {
    let whole = r#"{"text":"keeps \"6-6\"","numbers":{"depth":4,"value":-12.5},"tags":["a","endgame"],"marks":{"N":"risky","W":"é"}}"#;
    let line = format!(r#"{{"type":"action","id":17,"note": {whole} ,"action":"N:4-1"}}"#);
    let (id, text, note) = action(&line);
    assert_eq!((id, text.as_str()), (Some(17), "N:4-1"));
    let note = note.unwrap();
    assert_eq!(note.to_string(), "“keeps \"6-6\"” · depth 4 · value -12.5 · N: risky · W: é · #a · #endgame");
    assert_eq!(note.tags().collect::<Vec<_>>(), ["a", "endgame"]);
    assert_eq!((note.check(), note.why_text()), (Ok(()), None));
    assert_eq!(serde_json::to_string(&note).unwrap(), whole);
    assert_eq!(serde_json::from_str::<Note>(whole).unwrap(), note);
    assert_eq!(Note::from_object("{}"), Note::Object(Box::default()));

    let long = format!(r#"{{"text":"{}"}}"#, "a".repeat(LONGEST_NOTE));
    for (json, expected) in [
        (r#"{"number":{}}"#, "expected an object like {\"text\":"),
        (r#"{"numbers":{"value":"high"}}"#, "expected a JSON number"),
        (r#"{"numbers":{"value":1e999}}"#, "number out of range"),
        (r#"{"marks":{"X":"risky"}}"#, "unknown variant `X`, expected one of `N`, `E`, `S`, `W`"),
        (r#"{"tags":["two words"]}"#, "of 1 to 24 letters, digits, - and _, got \"two words\""),
        (r#"{"tags":[""]}"#, "got \"\""),
        (r#"{"numbers":{"ünter":1}}"#, "got \"ünter\""),
        (r#"{"marks":{"N":"aaaaaaaaaaaaaaaaaaaaaaaaa"}}"#, "a mark of at most 24 bytes"),
        (&long, "expected at most 500 bytes, got more"),
    ] {
        let kept = Note::from_object(json);
        assert_eq!(kept, Note::from_text(json), "what was sent is kept as a text");
        let why = kept.why_text().unwrap();
        assert!(why.to_string().contains(expected), "{json}: {why}");
        assert_eq!(why == NoteError::TooLong, json == long);
    }
    assert_eq!(Note::from_text("{smile").why_text().map(|why| why.to_string().contains("like")), Some(true));
    assert_eq!(Note::from_text("plain").why_text(), None);
    let hostile =
        Note::Object(Box::new(NoteObject { text: "a".repeat(LONGEST_NOTE), ..NoteObject::default() }));
    assert_eq!(hostile.check(), Err(NoteError::TooLong));
}
