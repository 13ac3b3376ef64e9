//! Bots of a league that cannot be started any more: set aside, until somebody has mended them.

use std::fs;

use serde_json::{Value, json};

use crate::league::{LEAGUE, Running, hand_in, two_bots};
use crate::league_day::until;
use crate::league_intake::{FILE, INTAKE, address, bearer, get, invite, post, send, zip};
use crate::program::{leyden, stderr, stdout};

#[test]
fn league_sets_aside_a_bot_that_cannot_start() {
    let folder = two_bots();
    let at = folder.path();
    let slow = fs::read_to_string(at.join("slow.toml")).unwrap();
    fs::write(at.join("slow.toml"), slow + "fresh = true\n").unwrap();
    let go = at.join("go");
    let needy = |name: &str, plays: &str| {
        let (go, leyden) = (go.display(), env!("CARGO_BIN_EXE_leyden"));
        let script = format!("test -e {go} || {{ echo lacks {go} >&2; exit 1; }}; exec {leyden} bot {plays}");
        format!("name = \"{name}\"\ncommand = [\"sh\", \"-c\", {script:?}]\n")
    };
    let cy = invite(at, "cy");
    let archive = zip(&[("cy/bot.toml", &needy("cy", "careful"))]);
    let aside = || -> Value {
        let file = fs::read(at.join("bots-league.aside.json")).unwrap_or_else(|_| b"{}".to_vec());
        serde_json::from_slice::<Value>(&file).unwrap()["aside"].clone()
    };
    let of_cy = || {
        let printed = stdout(&leyden(at, &["league", "versions", FILE, "cy", "--json"]));
        serde_json::from_str::<Value>(&printed).unwrap()["versions"][0].clone()
    };
    let plays = || of_cy()["there"] == json!(true);
    fs::write(&go, "").unwrap();
    let mut league = Running::start(at, &INTAKE);
    assert_eq!(send(&address(at), &bearer(&cy), &archive).code, 202);
    league.says("cy v1 plays");
    hand_in(at, "dan", &needy("dan", "random"));
    league.says("dan v1 plays");
    fs::remove_file(&go).unwrap();
    league.says("cy v1 could not be started 3 times in a row, and is set aside");
    league.says("dan v1 could not be started 3 times in a row, and is set aside");
    until("both have left", || !plays() && aside()["dan"]["version"] == "dan v1");
    assert!(aside()["dan"]["details"]["what"].is_object(), "{}", aside());
    // What was begun is played to its end, and no more is lost.
    let lost = || stdout(&leyden(at, &["export", FILE])).matches("\"code\":\"handshake\"").count();
    let pairs = |bot: &str| {
        let printed = stdout(&leyden(at, &["league", "versions", FILE, bot, "--json"]));
        serde_json::from_str::<Value>(&printed).unwrap()["versions"][0]["pairs"].as_u64().unwrap()
    };
    let others_go_on = || {
        let begun = pairs("ann");
        until("the others go on", || pairs("ann") > begun + 10);
    };
    others_go_on();
    let before = lost();
    assert!((2..=4 * 128).contains(&before), "{before}");
    others_go_on();
    assert_eq!(lost(), before);
    league.child.kill().unwrap();
    drop(league);

    // That holds after a kill, and its author learns why.
    let cookie = format!("Cookie: leyden-author={cy}\r\n");
    let mut again = Running::start(at, &INTAKE);
    let address = address(at);
    again.says("cy.zip is cy v1\n");
    again.says("dan is dan v1\n");
    let page = get(&address, "/author", &cookie).body;
    assert!(page.contains("id=\"set-aside\"") && page.contains("lacks "), "{page}");
    assert_eq!(post(&address, "/withdraw", &bearer(&cy), b"").code, 409, "it does not play");
    assert!(!plays());

    // It comes back: brought back by its author, or handed in again.
    fs::write(&go, "").unwrap();
    assert_eq!(post(&address, "/bring-back", &bearer(&cy), b"").code, 202);
    again.says("cy v1 plays\n");
    hand_in(at, "dan", &needy("dan", "random"));
    again.says("dan is dan v1 again, which comes back");
    again.says("dan v1 plays\n");
    until("nothing is set aside", || aside() == json!({}));
    assert!(!get(&address, "/author", &cookie).body.contains("id=\"set-aside\""));
    fs::remove_file(&go).unwrap();
    until("it is set aside again", || !plays() && aside()["dan"]["version"] == "dan v1");
    fs::write(&go, "").unwrap();
    assert_eq!(send(&address, &bearer(&cy), &archive).code, 202);
    until("it plays again", || plays() && aside().get("cy").is_none());
    drop(again);

    // What the organiser withdraws does not come back.
    let withdrawn = leyden(at, &["withdraw", FILE, "dan v1"]);
    assert!(
        stderr(&withdrawn).contains("dan v1 has left before, and does not come back"),
        "{}",
        stderr(&withdrawn)
    );
    assert_eq!(aside(), json!({}));
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    let verified = leyden(at, &["verify", FILE]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
}
