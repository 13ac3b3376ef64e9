//! What a bot's author reads about a line that is no answer.

use leyden_protocol::printable;

use crate::answer::malformed;

/// Every kind of mistake, with the message for its author.
const MESSAGES: &[(&[u8], &str)] = &[
    (
        b"",
        "expected a JSON object, got the end of the line at column 1: print one line per answer, with no empty lines in between",
    ),
    (
        b" \r",
        "expected a JSON object, got the end of the line at column 3: print one line per answer, with no empty lines in between",
    ),
    (
        b"thinking... best=N:4-1",
        "expected a JSON object, got `thinking...` at column 1: this looks like a debug print; print such lines to standard error",
    ),
    (
        b"N:4-1",
        r#"expected a JSON object, got `N` at column 1: this is an action alone; put it into {"type":"action","id":…,"action":…} with the id of the turn"#,
    ),
    (
        b"\"draw\"",
        r#"expected a JSON object, got `"draw"` at column 1: this is an action alone; put it into {"type":"action","id":…,"action":…} with the id of the turn"#,
    ),
    (b"17", "expected a JSON object, got `17` at column 1: an answer is one object in braces"),
    (b"[1,2]", "expected a JSON object, got `[` at column 1: an answer is one object in braces"),
    (
        b"null",
        "expected a JSON object, got `null` at column 1: the bot chose nothing: a function that does not return anything in some case, or an index outside of a list",
    ),
    (
        b"[info] thinking",
        "expected a JSON object, got `[` at column 1: this looks like a debug print; print such lines to standard error",
    ),
    (
        b"0.62 N:4-1",
        "expected a JSON object, got `0.62` at column 1: this looks like a debug print; print such lines to standard error",
    ),
    (
        b"\"{\\\"type\\\":\\\"action\\\"}\"",
        r#"expected a JSON object, got `"{\"` at column 1: this is an object inside a string; print it without the quotes around it"#,
    ),
    (
        b"b'{\"type\":\"action\"}'",
        "expected a JSON object, got `b'` at column 1: this is how Python prints bytes; write them to sys.stdout.buffer or decode them first",
    ),
    (
        b"}",
        "expected a JSON object, got `}` at column 1: an answer must be on one line; print the object without indentation",
    ),
    (
        b"{",
        "expected a field name in double quotes, got the end of the line at column 2: an answer must be on one line; print the object without indentation",
    ),
    (
        b"{'type': 'action', 'id': 17, 'action': 'N:4-1'}",
        "expected a field name in double quotes, got `'type'` at column 2: single quotes are not JSON; in Python print json.dumps(answer), not the dict itself",
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1",}"#,
        "expected a field name in double quotes, got `}` at column 43: there is an extra comma before the closing bracket",
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1"}{"type":"action","id":17,"action":"N:4-1"}"#,
        "expected nothing more on the line, got `{` at column 43: there are two objects on one line; end each answer with a line feed",
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1"};"#,
        "expected nothing more on the line, got `;` at column 43: there is something after the answer; end each answer with a line feed",
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1""#,
        "expected a comma or the closing brace, got the end of the line at column 42: the object has no end: was it cut, or is there a line break inside it?",
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1"#,
        "expected the closing quote of a string, got the end of the line at column 41: the object has no end: was it cut, or is there a line break inside it?",
    ),
    (
        br#"{"type":"action","id":17,"action":"#,
        "expected a value, got the end of the line at column 35: the object has no end: was it cut, or is there a line break inside it?",
    ),
    (
        br#"{"type":"action","id":17 "action":"N:4-1"}"#,
        r#"expected a comma or the closing brace, got `"action"` at column 26"#,
    ),
    (br#"{"type" "action"}"#, r#"expected a colon, got `"action"` at column 9"#),
    (
        br#"{"type":"action","id":NaN,"action":"N:4-1"}"#,
        "expected a value, got `NaN` at column 23: NaN and Infinity are not JSON",
    ),
    (
        br#"{"type":"action","eval":-Infinity,"id":17,"action":"N:4-1"}"#,
        "expected a digit, got `Infinity` at column 26: NaN and Infinity are not JSON",
    ),
    (
        br#"{"type":"action","final":True,"id":17,"action":"N:4-1"}"#,
        "expected a value, got `True` at column 26: True, False and None are Python, not JSON; print json.dumps(answer)",
    ),
    (
        br#"{"type":"action","note":undefined,"id":17,"action":"N:4-1"}"#,
        "expected a value, got `undefined` at column 25: undefined is not JSON; leave the field out",
    ),
    (
        br#"{"type":"action","id":017,"action":"N:4-1"}"#,
        "expected a comma or the closing brace, got `17` at column 24: numbers have no leading zeros",
    ),
    (
        br#"{"type":"action","id":+17,"action":"N:4-1"}"#,
        "expected a value, got `+17` at column 23: numbers begin with a digit or a minus sign",
    ),
    (br#"{"type":"action","id":17.,"action":"N:4-1"}"#, "expected a digit, got `,` at column 26"),
    (
        br#"{type:"action"}"#,
        "expected a field name in double quotes, got `type` at column 2: field names need double quotes; let a JSON library write the answer, such as JSON.stringify",
    ),
    (br#"{"type":action}"#, "expected a value, got `action` at column 9: strings need double quotes"),
    (
        br#"{"type":"action", // my answer"#,
        "expected a field name in double quotes, got `//` at column 19: JSON has no comments",
    ),
    (
        b"{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}\0\0\0",
        "expected nothing more on the line, got the byte 0x00 at column 43: the line has a zero byte; write only the text, not the whole buffer that holds it",
    ),
    (
        b"{\"type\":\"action\",\"note\":\"a\tb\",\"id\":17,\"action\":\"N:4-1\"}",
        r"expected the rest of a string, got the byte 0x09 at column 27: write line breaks and tabs inside a string as \n and \t",
    ),
    (
        b"{\"type\":\"action\",\"note\":\"caf\xe9\",\"id\":17,\"action\":\"N:4-1\"}",
        "expected UTF-8, got the byte 0xe9 at column 29: set the encoding of standard output to UTF-8",
    ),
    (
        b"\xef\xbb\xbf{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}",
        "expected a JSON object, got a byte order mark at column 1: the line begins with a byte order mark; write UTF-8 without one",
    ),
    (
        b"\xff\xfe{\0\"\0t\0",
        "expected UTF-8, got the byte 0xff at column 1: this looks like UTF-16; write UTF-8",
    ),
    (
        b"{\0\"\0t\0y\0",
        "expected a field name in double quotes, got the byte 0x00 at column 2: this looks like UTF-16; write UTF-8",
    ),
    (
        br#"{"type":"action","note":"\x41"}"#,
        r#"expected one of " \ / b f n r t u after a backslash, got `x41"` at column 27"#,
    ),
    (
        br#"{"type":"action","note":"\u12"}"#,
        r#"expected four hexadecimal digits after \u, got `"}` at column 30"#,
    ),
    (
        b"{}",
        r#"expected a field "type" that is "ready" or "action", got none at column 2: an answer to a turn looks like {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"id":17,"action":"N:4-1"}"#,
        r#"expected a field "type" that is "ready" or "action", got none at column 26: an answer to a turn looks like {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"move","id":17,"action":"N:4-1"}"#,
        r#"expected the type "ready" or "action", got `"move"` at column 9: an answer to a turn looks like {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"turn","id":17}"#,
        r#"expected the type "ready" or "action", got `"turn"` at column 9: the bot echoes a line from the arena"#,
    ),
    (
        br#"{"type":7}"#,
        r#"expected a field "type" that is "ready" or "action", got `7` at column 9: an answer to a turn looks like {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","action":"N:4-1"}"#,
        r#"expected a field "id" that is the number of the turn, got none at column 34: copy the id of the turn as a number, without quotes, as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":"17","action":"N:4-1"}"#,
        r#"expected a field "id" that is the number of the turn, got `"17"` at column 23: copy the id of the turn as a number, without quotes, as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":null,"action":"N:4-1"}"#,
        r#"expected a field "id" that is the number of the turn, got `null` at column 23: copy the id of the turn as a number, without quotes, as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":17}"#,
        r#"expected a field "action" that is a string such as "N:4-1", got none at column 25: copy one string from the list "legal", as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","turn":17,"move":"N:4-1"}"#,
        r#"expected a field "id" that is the number of the turn, got none but `"turn"` at column 42: copy the id of the turn as a number, without quotes, as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"Type":"action","id":17,"action":"N:4-1"}"#,
        r#"expected a field "type" that is "ready" or "action", got none but `"Type"` at column 42: an answer to a turn looks like {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":17,"move":"N:4-1"}"#,
        r#"expected a field "action" that is a string such as "N:4-1", got none but `"move"` at column 40: copy one string from the list "legal", as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":17,"action":["N:4-1"]}"#,
        r#"expected a field "action" that is a string such as "N:4-1", got `[` at column 35: copy one string from the list "legal", as in {"type":"action","id":17,"action":"N:4-1"}"#,
    ),
    (
        br#"{"type":"action","id":17,"action":null}"#,
        r#"expected a field "action" that is a string such as "N:4-1", got `null` at column 35: the bot chose nothing: a function that does not return anything in some case, or an index outside of a list"#,
    ),
    (
        br#"{"type":"action","id":17,"action":"N:4-1","\u0061ction":"draw"}"#,
        r#"expected every field once, got `"\u0061ction"` at column 43: a repeated field has no single value"#,
    ),
    (
        br#"{"type":"ready","name":"my-bot"}"#,
        r#"expected a field "protocol" that is a string such as "1.2", got none at column 32: the answer to hello looks like {"type":"ready","protocol":"1.2","name":"my-bot"}"#,
    ),
    (
        br#"{"type":"ready","protocol":1.0,"name":"my-bot"}"#,
        r#"expected a field "protocol" that is a string such as "1.2", got `1.0` at column 28: the answer to hello looks like {"type":"ready","protocol":"1.2","name":"my-bot"}"#,
    ),
    (
        br#"{"type":"ready","protocol":"1.0"}"#,
        r#"expected a field "name" that is a string, got none at column 33: the answer to hello looks like {"type":"ready","protocol":"1.2","name":"my-bot"}"#,
    ),
    ("{\"note\":\"é😀\",\"x\":é}".as_bytes(), "expected a value, got `é` at column 18"),
];

#[test]
fn each_mistake_has_its_message() {
    for (line, message) in MESSAGES {
        assert_eq!(malformed(line).to_string(), *message);
    }
}

#[test]
fn received_bytes_are_shown_printable_and_shortened() {
    assert_eq!(printable(b"N:4-1\t\x1b[31m\xff\xc3\xa9", 100), "N:4-1\\t\\u{1b}[31m\\xffé");
    assert_eq!(printable(b"0123456789", 4), "0123… (10 bytes in all)");
    assert_eq!(printable("éé".as_bytes(), 3), "é\\xc3… (4 bytes in all)");
}
