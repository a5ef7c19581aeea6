"""Writes files as robots do: the beginnings of logs and recordings, and databases with their tables."""
import sqlite3

BEGINNINGS = {"x.btlog": b"BTCPP4-FileLogger2\x10\0\0\0<root></root>", "old.fbl": b"\x20\x01\0\0\x18\0\0\0",
              "x.mcap": b"\x89MCAP0\r\n\x01\0\0", "recorded": b"\x89MCAP0\r\n\x01", "x.bag": b"#ROSBAG V2.0\nE\0\0\0",
              "empty.mcap": b"", "empty.db3": b""}
for name, content in BEGINNINGS.items():
    with open(name, "wb") as file:
        file.write(content)
TABLES = {
    "log.db3": ("Transitions (timestamp INTEGER PRIMARY KEY NOT NULL, session_id INTEGER NOT NULL)", "Nodes (session_id INTEGER)",
                "Definitions (session_id INTEGER PRIMARY KEY AUTOINCREMENT, xml_tree TEXT NOT NULL)"),
    "bag.db3": ("topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "messages(id INTEGER PRIMARY KEY, data BLOB NOT NULL)"),
    "other.db3": ("things(id INTEGER)",),
}
for name, tables in TABLES.items():
    with sqlite3.connect(name) as database:
        for table in tables:
            database.execute("CREATE TABLE IF NOT EXISTS " + table)
