//! What authors decide about their own versions of a league, and see of them.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::league::{LEAGUE, Running, hand_in, two_bots};
use crate::league_intake::{FILE, INTAKE, PATIENCE, address, bearer, bot, get, invite, judged, post, send};
use crate::program::{builtin, command, leyden, stderr, stdout};

#[test]
fn author_withdraws_and_brings_back_own_bot() {
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
    assert!(stdout(&withdrawn).contains("withdraws ann v1, which no longer plays"), "{}", stderr(&withdrawn));
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

/// Waits until the latest challenge of an author is over, and returns it.
fn over(address: &str, token: &str) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let asked = get(address, "/challenge", &(bearer(token) + "Accept: application/json\r\n"));
        let all: Value = serde_json::from_str(&asked.body).unwrap();
        let latest = &all["challenges"][0];
        if latest["outcome"]["state"] != "waits" {
            return latest.clone();
        }
        assert!(Instant::now() < until, "{all}");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn author_challenge_counts_for_nothing_in_the_league() {
    let folder = two_bots();
    let at = folder.path();
    fs::remove_dir_all(at.join("bots/ann")).unwrap();
    hand_in(at, "cy", &builtin("cy", "careful"));
    let [ann, bob] = ["ann", "bob"].map(|name| invite(at, name));
    let few = [&INTAKE[..], &["--challenges-a-day", "3"]].concat();
    let mut league = Running::start(at, &few);
    let mut address = address(at);
    let ask = |address: &str, headers: &str, opponent: &str| {
        post(address, "/challenge", headers, format!("opponent={opponent}").as_bytes()).code
    };
    assert_eq!(ask(&address, &bearer(&ann), "bob"), 409, "nothing of ann plays");
    assert_eq!(send(&address, &bearer(&ann), &bot("ann", "random")).code, 202);
    league.says("ann v1 plays");
    let cookie = format!("Cookie: leyden-author={ann}\r\n");
    assert_eq!(ask(&address, "", "bob"), 401);
    assert_eq!(ask(&address, &cookie, "bob"), 403);
    assert_eq!(ask(&address, &bearer(&ann), "ann"), 422);
    assert_eq!(ask(&address, &bearer(&ann), "eve"), 422);
    assert_eq!(post(&address, "/challenge", &bearer(&ann), b"bob").code, 400);

    let mut challenge = command(at, &["submit", "--challenge", "bob", "--to", &format!("http://{address}")]);
    let challenged = challenge.env("LEYDEN_TOKEN", &ann).output().unwrap();
    let said = stdout(&challenged);
    assert!(
        said.contains("ann, challenge 1 of bob") && said.contains(" : "),
        "{said}{}",
        stderr(&challenged)
    );
    let first = over(&address, &ann);
    assert_eq!(first["versions"][1], "bob v1", "{first}");
    let matches = first["outcome"]["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 2, "{first}");
    let replay = format!("/author/challenges/1/{}.html", matches[0]["id"].as_str().unwrap());
    assert!(get(&address, "/author", &cookie).body.contains(&replay));
    assert_eq!(get(&address, &replay, &bearer(&ann)).code, 200);
    assert_eq!(get(&address, &replay, &bearer(&bob)).code, 404, "it is not bob's");
    assert_eq!(get(&address, &replay, "").code, 401);
    assert_eq!(get(&address, "/author/challenges/2/x.html", &bearer(&ann)).code, 404);
    // It is among what ann takes home, as ann saw it, and not among what bob does.
    let home = |token: &str| get(&address, "/author/records", &bearer(token)).body;
    let of_challenge = |records: &str, id: &Value| {
        let id = format!("\"match\":{id}");
        records.lines().filter(|line| line.contains(&id)).map(str::to_owned).collect::<Vec<_>>()
    };
    let (own, of_bob) = (home(&ann), home(&bob));
    for one in matches {
        let lines = of_challenge(&own, &one["id"]);
        assert!(!lines.is_empty() && lines.iter().all(|line| line.contains("\"bot\":\"ann v1\"")), "{own}");
        assert!(of_challenge(&of_bob, &one["id"]).is_empty(), "{of_bob}");
        assert!(one["thought_us"].as_u64() > Some(0), "{one}");
    }

    // One at a time, however many ask at once; and a kill loses none.
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| ask(&address, &bearer(&ann), "cy")));
        both.map(|one| one.join().unwrap()).to_vec()
    });
    league.child.kill().unwrap();
    drop(league);
    assert!(codes.contains(&202) && codes.iter().all(|code| [202, 409].contains(code)), "{codes:?}");
    let again = Running::start(at, &few);
    address = self::address(at);
    let second = over(&address, &ann);
    assert_eq!(
        (&second["opponent"], &second["outcome"]["state"]),
        (&"cy".into(), &"played".into()),
        "{second}"
    );
    while ask(&address, &bearer(&ann), "cy") == 202 {
        over(&address, &ann);
    }
    assert_eq!(ask(&address, &bearer(&ann), "cy"), 429);
    assert_eq!(over(&address, &ann)["number"], 3);
    drop(again);

    // The league goes on as if nobody had challenged anybody.
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "6"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    let seed = |file: &str| {
        let standings = leyden(at, &["standings", file, "--json"]);
        let standings: Value = serde_json::from_str(&stdout(&standings)).unwrap();
        standings["commitment"].as_str().unwrap().to_owned()
    };
    let own = "bots-league.challenges/ann/1.db";
    assert_ne!(seed(own), seed(FILE));
    let exported = stdout(&leyden(at, &["export", FILE]));
    assert!(matches.iter().all(|one| !exported.contains(one["id"].as_str().unwrap())));
    for file in [FILE, own] {
        let verified = leyden(at, &["verify", file]);
        assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
    }
}

#[test]
fn author_submits_one_file_and_downloads_own_records() {
    let folder = two_bots();
    let at = folder.path();
    fs::remove_dir_all(at.join("bots/ann")).unwrap();
    let [ann, bob] = ["ann", "bob"].map(|name| invite(at, name));
    let mut league = Running::start(at, &[&INTAKE[..], &["--hide-replays"]].concat());
    let address = address(at);
    let submit = |file: &str, content: &str| {
        fs::write(at.join(file), content).unwrap();
        let mut submit = command(at, &["submit", file, "--to", &format!("http://{address}")]);
        submit.env("LEYDEN_TOKEN", &ann).output().unwrap()
    };
    let script = format!("exec {} bot careful\n", env!("CARGO_BIN_EXE_leyden"));
    let none = submit("notes.txt", "x");
    assert_eq!(none.status.code(), Some(3), "{}", stderr(&none));
    assert!(stderr(&none).contains("it is not a bot"), "{}", stderr(&none));
    let refused = submit("mine.sh", "exit 1\n");
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused) + &stderr(&refused));
    let form = |name: &str, content: &str| {
        let body = format!(
            "--line\r\nContent-Disposition: form-data; name=\"entry\"; filename=\"{name}\"\r\n\r\n{content}\r\n--line--\r\n"
        );
        let kind = "Content-Type: multipart/form-data; boundary=line\r\n";
        post(&address, "/hand-in", &(bearer(&ann) + kind), body.as_bytes())
    };
    for name in ["notes.txt", "../../mine.sh", "bot.toml", "", ".sh"] {
        let refused = form(name, &script);
        assert!(refused.code == 422 && !refused.body.contains("/tmp"), "{name}: {}", refused.body);
    }
    assert_eq!(form("mine.sh", &script).code, 202);
    assert_eq!(judged(&address, &ann)["version"], "ann v1");
    league.says("ann v1 plays");

    let until = Instant::now() + PATIENCE;
    let own = loop {
        let own = get(&address, "/author/records", &bearer(&ann));
        assert_eq!(own.code, 200, "{}", own.body);
        if own.body.contains("\"bot\"") {
            break own.body;
        }
        assert!(Instant::now() < until, "no pair is complete");
        sleep(Duration::from_millis(100));
    };
    assert_eq!(get(&address, "/author/records", "").code, 401);
    let id = own.split_once("\"match\":\"").and_then(|(_, rest)| rest.split('"').next()).unwrap();
    assert_eq!(get(&address, &format!("/matches/{id}.html"), "").code, 404, "others do not see matches");
    assert!(!get(&address, "/matches.html", "").body.contains("class=\"replay\""));
    assert_eq!(get(&address, &format!("/author/matches/{id}.html"), &bearer(&ann)).code, 200);
    assert_eq!(get(&address, &format!("/author/matches/{id}.html"), "").code, 401);
    let of_bob = get(&address, "/author/records", &bearer(&bob)).body;
    drop(league);
    // Nothing but what `leyden export --views` says of the author's seat, in matches whose pair is complete.
    let all = stdout(&leyden(at, &["export", FILE, "--views"]));
    let lines: Vec<&str> = own.lines().filter(|line| line.starts_with('{')).collect();
    assert!(lines.iter().all(|line| line.contains("\"bot\":\"ann v1\"") && all.contains(line)), "{own}");
    assert!(of_bob.contains("\"bot\":\"bob v1\"") && !of_bob.contains("\"bot\":\"ann v1\""), "{of_bob}");
}
