//! What languages write for a value that is no text, and the likeliest cause, which the author reads.

use leyden_protocol::read_answer;

#[test]
fn value_that_is_no_text_is_named() {
    for (line, says) in [
        ("[object Promise]", "choose is async"),
        ("Promise { 'draw' }", "choose is async"),
        ("<coroutine object choose at 0x7f0c>", "choose is async"),
        (r#"{"type":"action","id":17,"action":{}}"#, "choose is async"),
        ("[object Object]", "write JSON.stringify(object)"),
        ("{ type: 'action', id: 17, action: 'N:4-1' }", "write console.log(JSON.stringify(answer))"),
        ("<function choose at 0x7f0c>", "call it, with ()"),
        ("<__main__.Move object at 0x7f0c>", "print json.dumps"),
        ("Bot@1ad282e0", "this is how Java prints an object"),
        ("HASH(0x55cc3a312de8)", "print encode_json($reference)"),
        ("None", "the bot chose nothing"),
        (r#"{"type":"action","id":17,"action":null}"#, "the bot chose nothing"),
    ] {
        let error = read_answer(line.as_bytes()).unwrap_err();
        assert!(error.hint().is_some_and(|hint| hint.to_string().contains(says)), "{line}: {error}");
    }
    for line in ["thinking of None", "me@home", "hand ['0-0', '0-5']"] {
        let error = read_answer(line.as_bytes()).unwrap_err();
        assert!(error.hint().is_some_and(|hint| hint.to_string().contains("debug print")), "{line}: {error}");
    }
}
