//! What an author decides about the own versions of a league, and sees of them.

use std::fs;

use crate::league::{Running, hand_in, two_bots};
use crate::league_intake::{FILE, INTAKE, address, bearer, bot, get, invite, judged, post, send};
use crate::program::{builtin, command, leyden, stderr, stdout};

#[test]
fn an_author_withdraws_and_brings_back_the_own_bot() {
    let folder = two_bots();
    let at = folder.path();
    fs::remove_dir_all(at.join("bots/ann")).unwrap();
    hand_in(at, "cy", &builtin("cy", "careful"));
    let [ann, bob] = ["ann", "bob"].map(|name| invite(at, name));
    let mut league = Running::start(at, &INTAKE);
    let mut address = address(at);
    assert_eq!(post(&address, "/withdraw", &bearer(&ann), b"").code, 409, "nothing plays");
    assert_eq!(post(&address, "/bring-back", &bearer(&ann), b"").code, 409);
    assert_eq!(send(&address, &bearer(&ann), &bot("ann", "random")).code, 202);
    league.says("ann v1 plays");

    // Neither a stranger nor a page of another site, and nobody what the organiser has put there.
    let cookie = format!("Cookie: leyden-author={ann}\r\n");
    assert_eq!(post(&address, "/withdraw", "", b"").code, 401);
    assert_eq!(post(&address, "/withdraw", &cookie, b"").code, 403);
    assert_eq!(
        post(&address, "/withdraw", &format!("{cookie}Origin: http://evil.example\r\n"), b"").code,
        403
    );
    assert_eq!(post(&address, "/withdraw", &bearer(&bob), b"").code, 409);
    assert!(get(&address, "/author", &cookie).body.contains("Withdraw ann v1"));

    let submit = |address: &str, word: &str| {
        let mut submit = command(at, &["submit", word, "--to", &format!("http://{address}")]);
        submit.env("LEYDEN_TOKEN", &ann).output().unwrap()
    };
    let withdrawn = submit(&address, "--withdraw");
    assert!(stdout(&withdrawn).contains("withdraws ann v1, which plays no more"), "{}", stderr(&withdrawn));
    assert_eq!(submit(&address, "--withdraw").status.code(), Some(2), "it was withdrawn");
    assert!(!at.join("bots/ann.zip").exists());
    league.says("ann v1 has left");
    let state = || {
        let lines = stdout(&leyden(at, &["league", "versions", FILE, "ann"]));
        lines.lines().last().unwrap_or_default().to_owned()
    };
    assert!(state().ends_with("has left"), "{}", state());
    league.child.kill().unwrap();
    drop(league);

    let mut again = Running::start(at, &INTAKE);
    address = self::address(at);
    assert!(get(&address, "/author", &cookie).body.contains("Bring back ann v1"));
    let own = format!("{cookie}Origin: http://{address}\r\n");
    assert_eq!(post(&address, "/bring-back", &own, b"").code, 303);
    again.says("ann v1 plays");
    assert_eq!(judged(&address, &ann)["state"], "accepted");
    assert_eq!(submit(&address, "--bring-back").status.code(), Some(2), "it plays");
    assert!(state().ends_with("plays"), "{}", state());

    assert_eq!(post(&address, "/withdraw", &own, b"").code, 303);
    again.says("ann v1 has left");
    assert_eq!(send(&address, &bearer(&ann), &bot("ann", "random")).code, 202);
    again.says("ann.zip is ann v1 again, which comes back");
    drop(again);

    // What the organiser has taken out does not come back by being handed in again.
    let mut resting = Running::start(at, &INTAKE);
    resting.says("ann v1 plays");
    drop(resting);
    let out = leyden(at, &["withdraw", FILE, "ann v1"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    let mut last = Running::start(at, &INTAKE);
    last.says("ann.zip is ann v1\n");
    address = self::address(at);
    assert_eq!(send(&address, &bearer(&ann), &bot("ann", "random")).code, 202);
    assert_eq!(judged(&address, &ann)["state"], "known");
    assert!(state().ends_with("has left"), "{}", state());
}
