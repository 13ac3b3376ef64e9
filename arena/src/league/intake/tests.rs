use super::*;

fn intake(path: &Path, most: Option<u64>) -> Intake {
    let folder = path.join("bots");
    fs::create_dir(&folder).unwrap();
    let [versions, builds, challenges] =
        ["versions", "builds", "challenges"].map(|kind| path.join("cup").with_extension(kind));
    let disk = Disk { folder, versions, builds, challenges, most };
    Intake::open(disk, &path.join("cup.db"), IntakeRules::default()).unwrap()
}

#[test]
fn author_keeps_nobody_else_out() {
    let folder = tempfile::tempdir().unwrap();
    let intake = intake(folder.path(), None);
    let mut held = Vec::new();
    for author in (0..20).map(|number| format!("author{number}")) {
        held.extend([intake.receive(&author).unwrap(), intake.receive(&author).unwrap()]);
        assert!(matches!(intake.receive(&author), Err(IntakeError::Busy)));
    }
    held.remove(0);
    held.push(intake.receive("author0").unwrap());
    drop(held);
    assert_eq!(fs::read_dir(folder.path().join("bots")).unwrap().count(), 0);
}

#[test]
fn intake_stays_within_its_disk_limit() {
    let folder = tempfile::tempdir().unwrap();
    let intake = intake(folder.path(), Some(3 * LARGEST));
    let versions = folder.path().join("cup.versions");
    let mut one = intake.receive("ann").unwrap();
    let two = intake.receive("bob").unwrap();
    assert!(matches!(intake.receive("cy"), Err(IntakeError::Full(_))), "folders take something, too");
    drop(two);
    one.write(b"PK and more").unwrap();
    assert_eq!(one.finish().unwrap().number, 1);
    File::create(versions.join("large")).unwrap().set_len(2 * LARGEST).unwrap();
    let full = intake.receive("bob").unwrap_err().to_string();
    assert!(full.contains("takes the 96 MB on disk that it may"), "{full}");
    assert!(folder.path().join("bots/ann.zip").is_file());
    fs::remove_file(versions.join("large")).unwrap();
    assert!(intake.receive("bob").is_ok());
}

#[test]
fn accepted_hand_in_stays_so_while_host_fails() {
    let folder = tempfile::tempdir().unwrap();
    let intake = intake(folder.path(), None);
    let mut upload = intake.receive("ann").unwrap();
    upload.write(b"PK").unwrap();
    upload.finish().unwrap();
    let stamp = intake.stamp(&folder.path().join("bots/ann.zip")).unwrap();
    let after = |verdict: Verdict| {
        intake.judged(&stamp, &verdict);
        intake.for_author("ann").remove(0).outcome
    };
    let host_fails = || after(Verdict::Waits("the disk is full".to_owned()));
    assert_eq!(host_fails(), HandInState::Waits { why: "the disk is full".to_owned() });
    let version = Version { bot: "ann".to_owned(), number: 1 };
    let accepted = after(Verdict::Enters { version, hash: String::new() });
    assert_eq!(accepted, HandInState::Accepted { version: "ann v1".to_owned() });
    assert_eq!(host_fails(), accepted);
}
