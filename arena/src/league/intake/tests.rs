use super::*;

fn intake(place: &Path, most: Option<u64>) -> Intake {
    let folder = place.join("bots");
    fs::create_dir(&folder).unwrap();
    let [versions, builds, challenges] =
        ["versions", "builds", "challenges"].map(|kind| place.join("cup").with_extension(kind));
    let disk = Disk { folder, versions, builds, challenges, most };
    Intake::open(disk, &place.join("cup.db"), IntakeRules::default()).unwrap()
}

#[test]
fn no_author_keeps_another_out() {
    let place = tempfile::tempdir().unwrap();
    let intake = intake(place.path(), None);
    let mut held = Vec::new();
    for author in (0..20).map(|number| format!("author{number}")) {
        held.extend([intake.receive(&author).unwrap(), intake.receive(&author).unwrap()]);
        assert!(matches!(intake.receive(&author), Err(IntakeError::Busy)));
    }
    held.remove(0);
    held.push(intake.receive("author0").unwrap());
    drop(held);
    assert_eq!(fs::read_dir(place.path().join("bots")).unwrap().count(), 0);
}

#[test]
fn intake_stays_within_its_disk_limit() {
    let place = tempfile::tempdir().unwrap();
    let intake = intake(place.path(), Some(3 * LARGEST));
    let versions = place.path().join("cup.versions");
    let mut one = intake.receive("ann").unwrap();
    let two = intake.receive("bob").unwrap();
    assert!(matches!(intake.receive("cy"), Err(IntakeError::Full(_))), "folders take something, too");
    drop(two);
    one.write(b"PK and more").unwrap();
    assert_eq!(one.finish().unwrap().number, 1);
    File::create(versions.join("large")).unwrap().set_len(2 * LARGEST).unwrap();
    let full = intake.receive("bob").unwrap_err().to_string();
    assert!(full.contains("takes the 96 MB on disk that it may"), "{full}");
    assert!(place.path().join("bots/ann.zip").is_file());
    fs::remove_file(versions.join("large")).unwrap();
    assert!(intake.receive("bob").is_ok());
}
