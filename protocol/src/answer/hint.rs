//! The likeliest causes of lines that are no answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

crate::worded! {
    /// The likeliest cause of a line that is no message, or of a text that is no action. As text it says what to do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum AnswerHint {
        /// What an `async` function of JavaScript or Python returns.
        Promise => "choose is async, so calling it gives a Promise (in Python a coroutine) and not an action: write \
            await before the call, in a function that is async, too, or remove async from choose";
        /// What a program does that has no action to give.
        Nothing => "the bot chose nothing: a function that does not return anything in some case, or an index outside \
            of a list";
        JavaScriptObject => "this is how JavaScript turns an object into text; write JSON.stringify(object), and for \
            an action one of its strings";
        Function => "this is a function, and not what it returns: call it, with ()";
        PerlReference => "this is how Perl prints a reference; print encode_json($reference) from JSON::PP";
        JavaObject => "this is how Java prints an object; build the line of JSON from its fields";
        PythonObject => "this is how Python prints an object; print json.dumps of a dict with its fields";
        PythonBytes => "this is how Python prints bytes; write them to sys.stdout.buffer or decode them first";
        Utf16 => "this looks like UTF-16; write UTF-8";
        ByteOrderMark => "the line begins with a byte order mark; write UTF-8 without one";
        ZeroByte => "the line has a zero byte; write only the text, not the whole buffer that holds it";
        NotUtf8 => "set the encoding of standard output to UTF-8";
        EmptyLine => "print one line per answer, with no empty lines in between";
        ActionAlone => "this is an action alone; put it into {{\"type\":\"action\",\"id\":…,\"action\":…}} with the id \
            of the turn";
        ObjectInString => "this is an object inside a string; print it without the quotes around it";
        OtherJson => "an answer is one object in braces";
        SeveralLines => "an answer must be on one line; print the object without indentation";
        DebugPrint => "this looks like a debug print; print such lines to standard error";
        NoEnd => "the object has no end: was it cut, or is there a line break inside it?";
        SingleQuotes => "single quotes are not JSON; in Python print json.dumps(answer), not the dict itself";
        ExtraComma => "there is an extra comma before the closing bracket";
        TwoObjects => "there are two objects on one line; end each answer with a line feed";
        PythonConstant => "True, False and None are Python, not JSON; print json.dumps(answer)";
        NotANumber => "NaN and Infinity are not JSON";
        Undefined => "undefined is not JSON; leave the field out";
        Comment => "JSON has no comments";
        LeadingZero => "numbers have no leading zeros";
        NumberStart => "numbers begin with a digit or a minus sign";
        LineBreak => "write line breaks and tabs inside a string as \\n and \\t";
        MoreBehind => "there is something after the answer; end each answer with a line feed";
        PrintedByJavaScript => "this is how JavaScript prints an object; write console.log(JSON.stringify(answer))";
        BareName => "field names need double quotes; let a JSON library write the answer, such as JSON.stringify";
        BareString => "strings need double quotes";
        RepeatedField => "a repeated field has no single value";
        Echo => "the bot echoes a line from the arena";
        /// What an answer to a turn looks like.
        Answer => "an answer to a turn looks like {{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}}";
        Id => "copy the id of the turn as a number, without quotes, as in \
            {{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}}";
        Action => "copy one string from the list \"legal\", as in \
            {{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}}";
        Ready => "the answer to hello looks like {{\"type\":\"ready\",\"protocol\":\"1.2\",\"name\":\"my-bot\"}}";
    }
}
