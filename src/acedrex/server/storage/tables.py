"""The tables of the database."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

#: Guests, and those of them who have an account.
people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    # The ids of imported games are derived from it, so that nobody else can guess them.
    Column("import_key", String(64), nullable=False),
    # Whether they take messages; by default those with an account do, and guests do not.
    Column("messages", Boolean),
)

#: Where people are signed in. A token is a long random text, so its plain hash reveals nothing.
sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("device", String(80), nullable=False),
    Column("at", BigInteger, nullable=False),
    # When it was last used, to the hour.
    Column("seen", BigInteger, nullable=False),
    Index("sessions_of_person", "person", "seen"),
)

#: The accounts of people. Names that look alike have the same handle.
accounts = Table(
    "accounts",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("handle", String(80), nullable=False, unique=True),
    # Without one, the person signs in with passkeys.
    Column("password_hash", String(200)),
    Column("recovery_hash", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    # The invitation with which it was made: one makes one account.
    Column("invitation_hash", String(64)),
    # The address for mails, the one that is not confirmed yet, and the language of mails.
    Column("mail", String(254)),
    Column("new_mail", String(254)),
    Column("language", String(8)),
    Index("accounts_by_invitation", "invitation_hash", unique=True),
    Index("accounts_by_mail", "mail"),
)

#: With what somebody can make an account where the operator invites people.
invitations = Table(
    "invitations",
    metadata,
    Column("invitation_hash", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
)

#: Passkeys of accounts. The id is a hash of the credential's id, which may be long.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("name", String(40), nullable=False),
    Column("credential", Text, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Index("passkeys_of_person", "person"),
)

#: What passkeys are to sign, once and for one purpose; of nobody if somebody signs in.
passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("challenge_hash", String(64), primary_key=True),
    Column("purpose", String(20), nullable=False),
    Column("person", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("passkey_challenges_by_until", "until"),
    Index("passkey_challenges_of_person", "person"),
)

#: Links in mails: to confirm an address, or to choose a new password.
mail_links = Table(
    "mail_links",
    metadata,
    Column("link_hash", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("purpose", String(20), nullable=False),
    Column("address", String(254), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("mail_links_by_until", "until"),
    Index("mail_links_of_person", "person"),
)

#: Mails and push messages that are to be sent. They are written when they are sent, so no secret is in here.
outbox = Table(
    "outbox",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("person", String(32)),
    # Where it goes: of a push message the id of the subscription, of a request for recovery what somebody has typed, a
    # name or an address.
    Column("address", String(254), nullable=False),
    # What it says, beyond its kind.
    Column("about", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # When it is sent, or tried again unless the process that is sending it succeeds.
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Index("outbox_by_due", "due"),
    Index("outbox_of_person", "person"),
)

#: Of what people are notified, and how: only of those who have changed it.
notification_settings = Table(
    "notification_settings",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("body", Text, nullable=False),
    # Whether they want to hear of challenges in the lobby, and when they last did.
    Column("lobby", Boolean, nullable=False),
    Column("lobby_at", BigInteger, nullable=False),
    Index("notification_settings_by_lobby", "lobby", "lobby_at"),
)

#: Where push messages go: browsers, each with the session in which its person has asked for it. The id is a hash of
#: the endpoint.
push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("session", String(32), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(120), nullable=False),
    Column("auth_secret", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("push_subscriptions_of_person", "person"),
    Index("push_subscriptions_of_session", "session"),
)

#: Keys of the server, made when they are first needed.
server_keys = Table(
    "server_keys",
    metadata,
    Column("purpose", String(20), primary_key=True),
    Column("value", String(200), nullable=False),
)

#: What people with accounts have solved; the version decides between requests that store at once.
progress = Table(
    "progress",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("body", Text, nullable=False),
    Column("version", Integer, nullable=False),
)

#: Codes with which a device can sign in once.
codes = Table(
    "codes",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("codes_by_until", "until"),
    Index("codes_of_person", "person"),
)

#: Texts of definitions by their hash, so that a match can continue when a file has changed.
definitions = Table(
    "definitions",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("text", Text, nullable=False),
)

#: The events of matches, the source of all else. The key decides between processes that store at once.
events = Table(
    "events",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
)

#: What lists and clocks need, stored beside the events so that the events need not be folded.
matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("opponent", String(10), nullable=False),
    Column("white", String(32)),
    Column("black", String(32)),
    Column("creator", String(32)),
    Column("invite_hash", String(64)),
    Column("phase", String(10), nullable=False),
    Column("deadline", BigInteger),
    Column("engine_due", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("card", Text, nullable=False),
    Column("asked", String(32)),
    Column("archived", Boolean),
    # Whether its positions and its drama are stored.
    Column("indexed", Boolean),
    Index("matches_to_index", "indexed", "archived"),
    # The number of the last event, by which a process sees that it has missed events.
    Column("number", Integer),
    # Whether its result still has to change ratings.
    Column("to_rate", Boolean),
    # Whether its moves still have to be compared with the engine's, for moderators.
    Column("to_compare", Boolean),
    Index("matches_to_compare", "to_compare"),
    # The tournament that it belongs to, and whether that still has to hear how it ended.
    Column("tournament", String(32)),
    Column("to_report", Boolean),
    Index("matches_of_tournament", "tournament"),
    Index("matches_to_report", "to_report", "phase"),
    # When to check next whom to notify; the last event that was checked; the turn whose player was last notified.
    Column("notify_at", BigInteger),
    Column("told", Integer),
    Column("told_turn", Integer),
    Index("matches_by_notify_at", "notify_at"),
    Index("matches_to_rate", "to_rate", "phase"),
    Index("matches_by_asked", "asked", "phase"),
    Index("matches_by_archived", "phase", "archived"),
    Index("matches_of_white", "white", "at"),
    Index("matches_of_black", "black", "at"),
    Index("matches_by_phase", "phase", "at"),
    Index("matches_by_deadline", "deadline"),
    Index("matches_of_white_by_phase", "white", "phase", "black"),
    Index("matches_of_black_by_phase", "black", "phase", "white"),
)

#: Tournaments, with what lists need and when something is due. What people have written stands here, and not in events.
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(32), primary_key=True),
    # Nobody if their data was deleted.
    Column("creator", String(32)),
    Column("name", String(60), nullable=False),
    Column("description", Text, nullable=False),
    Column("phase", String(10), nullable=False),
    Column("starts_at", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    # The number of the last event.
    Column("number", Integer, nullable=False),
    Column("next_at", BigInteger),
    Column("card", Text, nullable=False),
    Index("tournaments_by_phase", "phase", "starts_at"),
    Index("tournaments_by_next_at", "next_at"),
    Index("tournaments_of_creator", "creator", "phase"),
)

#: The events of tournaments, the source of all else. The key decides between processes that store at once.
tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
)

#: Who the players of tournaments are. Nobody enters twice.
entrants = Table(
    "entrants",
    metadata,
    Column("tournament", String(32), primary_key=True),
    Column("player", Integer, primary_key=True),
    # Nobody if their data was deleted.
    Column("person", String(32)),
    Column("name", String(40), nullable=False),
    Index("entrants_of_person", "person", "tournament", unique=True),
)

#: The secrets in the addresses of people's calendars, as a program that reads one cannot sign in.
calendars = Table(
    "calendars",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("secret_hash", String(64), nullable=False, unique=True),
)

chat = Table(
    "chat",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("id", BigInteger, primary_key=True),
    Column("by", String(10), nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    # Who wrote it, so that their lines can be found; the first versions did not store that.
    Column("person", String(32)),
    Index("chat_of_person", "person"),
)

#: Analyses of whole games. The id is a hash of the game, so that requests for the same game get the same job.
jobs = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("visitor", String(64), nullable=False),
    Column("body", Text, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("jobs_under_way", "done", "at"),
    Index("jobs_of_visitor", "visitor"),
)

#: Findings of jobs, position by position. The key decides between processes that store at once.
findings = Table(
    "findings",
    metadata,
    Column("job", String(32), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("body", Text, nullable=False),
)

#: Which guest has solved the puzzle of which day, on that day.
dailies = Table(
    "dailies",
    metadata,
    Column("guest", String(32), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

#: Personal access tokens; as with guests only the hash of a token is stored.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("name", String(40), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("scopes", String(200), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("tokens_of_person", "person"),
)

#: Compared byte by byte, so that names with the same beginning are adjacent in an index.
Folded = String(80).with_variant(String(80, collation="C"), "postgresql")

#: Finished matches, with the columns for searches. A row is written once, with what the match adds to ``openings``.
archive = Table(
    "archive",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("setup", String(80)),
    Column("result", String(10), nullable=False),
    Column("white", String(32)),
    Column("black", String(32)),
    Column("owner", String(32)),
    Column("white_name", Folded, nullable=False),
    Column("black_name", Folded, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False),
    # How far the chances travelled; unknown until it is worked out.
    Column("drama", Float(53)),
    Index("archive_by_time", "public", "at", "match"),
    Index("archive_by_game", "public", "game", "at", "match"),
    Index("archive_by_setup", "game", "setup", "at", "match"),
    Index("archive_by_result", "public", "result", "at", "match"),
    Index("archive_by_length", "public", "plies"),
    Index("archive_by_white_name", "white_name", "at"),
    Index("archive_by_black_name", "black_name", "at"),
    Index("archive_of_white", "white", "at", "match"),
    Index("archive_of_black", "black", "at", "match"),
    Index("archive_of_owner", "owner", "at", "match"),
)

#: In which finished matches a position occurred, by its number.
positions = Table(
    "positions",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("match", String(32), primary_key=True),
    Index("positions_of_match", "match"),
)

#: How often a move was played in an opening position and the results, for the public (an empty scope) and for each
#: player.
openings = Table(
    "openings",
    metadata,
    Column("scope", String(32), primary_key=True),
    Column("position", String(32), primary_key=True),
    Column("ply", String(80), primary_key=True),
    Column("white", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("black", Integer, nullable=False),
)

#: The ratings of people, by game and speed, and over all: what follows from ``results``.
ratings = Table(
    "ratings",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("pool", String(80), primary_key=True),
    Column("rating", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ratings_by_pool", "pool", "rating"),
)

#: The results of rated matches in each pool, in the order in which they changed ratings, with those before and after.
results = Table(
    "results",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("match", String(32), nullable=False),
    Column("pool", String(80), nullable=False),
    # Nobody if their data was deleted.
    Column("white", String(32)),
    Column("black", String(32)),
    # White's share of the points.
    Column("points", Float(53), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("white_rating", Float(53), nullable=False),
    Column("white_deviation", Float(53), nullable=False),
    Column("white_new", Float(53), nullable=False),
    Column("black_rating", Float(53), nullable=False),
    Column("black_deviation", Float(53), nullable=False),
    Column("black_new", Float(53), nullable=False),
    Index("results_of_match", "match", "pool", unique=True),
    Index("results_of_white", "white", "pool", "number"),
    Index("results_of_black", "black", "pool", "number"),
)

#: Whom people follow, and whom they have blocked: nobody but ``person`` learns of it.
follows = Table(
    "follows",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("other", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("follows_of_other", "other"),
)
blocks = Table(
    "blocks",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("other", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("blocks_of_other", "other"),
)

#: The messages of two people, whose ids are in order, so that a conversation is one range of the key.
messages = Table(
    "messages",
    metadata,
    Column("low", String(32), primary_key=True),
    Column("high", String(32), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("sender", String(32), nullable=False),
    Column("text", String(1000), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("messages_of_high", "high"),
)

#: A conversation as one of its people has it: the ids of its last message, and of the last one that they have read.
conversations = Table(
    "conversations",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("other", String(32), primary_key=True),
    Column("last", BigInteger, nullable=False),
    Column("read", BigInteger, nullable=False),
    Index("conversations_by_last", "person", "last"),
    Index("conversations_with_other", "other"),
)

#: The first attempts at puzzles of people with accounts, in the order in which they changed ratings, with those before
#: and after. The last index lets each person's first attempt at a puzzle count once.
attempts = Table(
    "attempts",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    # Nobody if their data was deleted.
    Column("person", String(32)),
    Column("game", String(64), nullable=False),
    Column("puzzle", Integer, nullable=False),
    # As they were then, separated by spaces.
    Column("themes", String(80), nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    # Those of the person over all themes.
    Column("rating", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("new", Float(53), nullable=False),
    Column("puzzle_rating", Float(53), nullable=False),
    Column("puzzle_deviation", Float(53), nullable=False),
    Index("attempts_of_person", "person", "game", "puzzle", unique=True),
    Index("attempts_of_person_by_number", "person", "number"),
)

#: The ratings of puzzles: what follows from ``attempts``.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("puzzle", Integer, primary_key=True),
    Column("rating", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("solved", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

#: How the moves of a side of a rated match between people compare with the engine's choice, for moderators: positions
#: that were neither forced nor decided, first choices there, and centipawns lost. The key lets each count once.
comparisons = Table(
    "comparisons",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("side", String(5), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("game", String(64), nullable=False),
    Column("positions", Integer, nullable=False),
    Column("first_choices", Integer, nullable=False),
    Column("loss", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("comparisons_of_person", "person", "game"),
)

#: The days off that people have taken, in which their clocks by correspondence do not run, and the milliseconds of days
#: off left afterwards.
days_off = Table(
    "days_off",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("since", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
    Column("left", BigInteger, nullable=False),
)

#: The moves with which players answer those that they expect: the position from which these are counted, the last event
#: of the match that was considered, and the lines.
conditional_moves = Table(
    "conditional_moves",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("side", String(5), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("fen", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("conditional_moves_of_person", "person"),
)

#: What players have noted about their matches, for themselves.
notes = Table(
    "notes",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("notes_of_person", "person"),
)

#: Those whom the operator has made moderators.
moderators = Table(
    "moderators",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

#: Studies. The body is the whole study after operation ``number``; later operations are in ``study_operations``.
studies = Table(
    "studies",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(32), nullable=False),
    Column("title", String(80), nullable=False),
    # ``private``, ``link`` or ``public``.
    Column("access", String(10), nullable=False),
    # Whether a moderator has withdrawn it.
    Column("withdrawn", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    # How many chapters and moves it has, and the name of the first chapter's game: for lists.
    Column("chapters", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("game", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("body", Text, nullable=False),
    # The ids of those who have written in it, as JSON; the body has their places in this list.
    Column("authors", Text, nullable=False),
    Index("studies_by_change", "access", "withdrawn", "changed", "id"),
    Index("studies_of_owner", "owner", "changed", "id"),
    Index("studies_empty", "size", "changed"),
)

#: What was changed in studies. The key decides between processes that store at once.
study_operations = Table(
    "study_operations",
    metadata,
    Column("study", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    # Nobody if their data was deleted.
    Column("person", String(32)),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index("study_operations_of_person", "person", "study"),
)

#: The people whom the owners of studies have added.
study_members = Table(
    "study_members",
    metadata,
    Column("study", String(32), primary_key=True),
    Column("person", String(32), primary_key=True),
    # ``writer`` or ``reader``.
    Column("role", String(10), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("study_members_of_person", "person", "study"),
)

#: Reports about people, lines of chat (with the match), messages and studies, until they are handled.
reports = Table(
    "reports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("reporter", String(32), nullable=False),
    Column("about", String(32), nullable=False),
    Column("match", String(32)),
    # The id of the line of chat, or of the message.
    Column("line", BigInteger),
    Column("study", String(32)),
    Column("text", String(1000), nullable=False),
    Column("reason", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),
    Index("reports_open", "done", "at"),
    Index("reports_of_reporter", "reporter", "done"),
    Index("reports_about", "about"),
)

#: What moderators have done to people and is still in force.
sanctions = Table(
    "sanctions",
    metadata,
    Column("person", String(32), primary_key=True),
    # ``muted``, ``closed`` or ``renamed``; ``renaming`` while the old name is still stored somewhere.
    Column("kind", String(10), primary_key=True),
    Column("until", BigInteger),
    Column("reason", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    # Whether a closed account still has connections and matches to end.
    Column("pending", Boolean, nullable=False),
    Index("sanctions_pending", "kind", "pending"),
)

#: Everything that moderators and the operator have done, which is only ever added to. The names are those of the day.
moderation = Table(
    "moderation",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # Nobody's for the operator.
    Column("moderator", String(32)),
    Column("moderator_name", String(40), nullable=False),
    Column("person", String(32)),
    Column("person_name", String(40), nullable=False),
    Column("action", String(10), nullable=False),
    Column("reason", String(300), nullable=False),
    Column("until", BigInteger),
    # The new name of somebody who was renamed.
    Column("name", String(40)),
    Column("at", BigInteger, nullable=False),
    Index("moderation_of_person", "person"),
    Index("moderation_of_moderator", "moderator"),
)

#: People whose data is being deleted, and when they asked for it. They have no token any more.
deletions = Table(
    "deletions",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

#: When the server was down. Clocks are corrected by these when a match is opened again.
absences = Table(
    "absences",
    metadata,
    Column("until", BigInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False),
)

#: When the server was last alive: one row.
beats = Table(
    "beats",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)
