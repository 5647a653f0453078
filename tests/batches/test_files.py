"""Files of lines: what spreadsheets and programs write, and what the columns of a table fill."""

from __future__ import annotations

import io
import json

import pytest

from studio.batches import Line, Plan, read_file
from studio.brief import JsonObject
from studio.errors import BriefError

TEMPLATE: JsonObject = {
    "kind": "poster",
    "title": "{name} at {venue}",
    "params": {"event": {"slogan": "Come in"}, "speakers": [{"name": "Ada"}, {"name": "Lin"}], "raster_height": 400},
}
PLAN = Plan(template=TEMPLATE)
TABLE = 'name,date,venue\nNight Swim,"May 1, late",Pool\n"Dæg ""Zwei""",2 May,"Hall\nB"\n'


def lines(text: str | bytes, name: str = "lines.csv", plan: Plan = PLAN) -> list[Line]:
    return list(read_file(io.BytesIO(text.encode() if isinstance(text, str) else text), name, plan))


def event(line: Line) -> JsonObject:
    assert line.value is not None, line.problems
    found: JsonObject = line.value["brief"]["params"]["event"]
    return found


def test_a_table_fills_the_template_and_keeps_the_rest() -> None:
    first, second = lines(TABLE)
    assert event(first) == {"slogan": "Come in", "name": "Night Swim", "date": "May 1, late", "venue": "Pool"}
    assert event(second)["name"] == 'Dæg "Zwei"'
    assert event(second)["venue"] == "Hall\nB"
    assert [line.number for line in (first, second)] == [2, 3]  # as a spreadsheet numbers its rows
    assert first.request().brief.title == "Night Swim at Pool"
    assert first.request().brief.params["speakers"] == [{"name": "Ada"}, {"name": "Lin"}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_delimiters_and_line_ends(encoding: str, delimiter: str, end: str) -> None:
    rows = [["name", "date", "venue"], ["名 Ünï 🎈", '"1; 2,\t3"', "Pool"]]
    text = end.join(delimiter.join(row) for row in rows) + end
    (line,) = lines(text.encode(encoding))
    assert (event(line)["name"], event(line)["date"]) == ("名 Ünï 🎈", "1; 2,\t3")


@pytest.mark.parametrize(
    ("column", "path"),
    [
        ("venue", ["brief", "params", "event", "venue"]),
        ("Event.Venue", ["brief", "params", "event", "venue"]),
        ("params.event.venue", ["brief", "params", "event", "venue"]),
        ("brief.params.event.venue", ["brief", "params", "event", "venue"]),
        (" Early Bird Price ", ["brief", "params", "registration", "early_bird_price"]),
        ("custom_id", ["custom_id"]),
        ("title", ["brief", "title"]),
        ("language", ["brief", "language"]),
        ("run.model", ["run", "model"]),
    ],
)
def test_columns_find_their_fields(column: str, path: list[str]) -> None:
    (line,) = lines(f"{column}\nhere\n")
    value: object = line.value
    for part in path:
        assert isinstance(value, dict)
        value = value[part]
    assert value == "here"


def test_cells_mean_what_their_field_is() -> None:
    header = "name;seed;raster_height;palette;highlights;speakers.1.name;speakers.2.topic;tags"
    cells = '007;12;500;{"primary": "#112233"};Music\nDance; Lee ;;["a"]'
    quoted = ";".join('"' + cell.replace('"', '""') + '"' for cell in cells.split(";"))
    (line,) = lines(f"{header}\n{quoted}\n")
    assert line.value is not None
    params = line.value["brief"]["params"]
    assert event(line)["name"] == "007"
    assert (line.value["run"]["seed"], params["raster_height"]) == (12, 500)
    assert params["palette"] == {"primary": "#112233"}
    assert params["highlights"] == ["Music", "Dance"]
    assert [speaker["name"].strip() for speaker in params["speakers"]] == ["Ada", "Lee"]
    assert line.value["tags"] == ["a"]


def test_an_empty_cell_leaves_what_the_template_says_and_empty_rows_are_none() -> None:
    (line,) = lines("name,date,venue,slogan\n,,,\nA,1,B,\n  , ,,\n")
    assert event(line)["slogan"] == "Come in"
    assert line.number == 3


def test_a_problem_names_the_column() -> None:
    (broken,) = lines("name,language\nA,not a tag!\n")
    with pytest.raises(BriefError) as told:
        broken.request()
    assert told.value.problems[0].pointer == "/brief/language"
    assert "column 'language'" in told.value.problems[0].message


@pytest.mark.parametrize(
    ("text", "name", "pointer", "said"),
    [
        (b"", "a.csv", "/file", "empty"),
        (b"PK\x03\x04rest", "a.xlsx", "/file", "workbook"),
        (b"name,vnue\nA,B\n", "a.csv", "/columns/1", "'venue'"),
        (b"name,event.name\nA,B\n", "a.csv", "/columns/1", "same field"),
        (b'name,date\n"A,1\n', "a.csv", "/file", "quote"),
        (b"[1, 2", "a.json", "", "not JSON"),
    ],
)
def test_a_file_that_is_wrong_as_a_whole(text: bytes, name: str, pointer: str, said: str) -> None:
    with pytest.raises(BriefError) as refused:
        lines(text, name)
    assert refused.value.problems[0].pointer == pointer
    assert said in refused.value.problems[0].message


def test_a_table_has_to_say_its_kind() -> None:
    with pytest.raises(BriefError, match="Of which kind|of which kind"):
        lines("name\nA\n", plan=Plan())
    (line,) = lines("kind,name\nposter,A\n", plan=Plan())
    assert line.value is not None
    assert line.value["brief"]["kind"] == "poster"
    (mixed,) = lines("kind,name,mood\nposter,A,\n", plan=Plan())
    assert not mixed.problems, "an empty cell of another kind's column is nothing"
    (odd,) = lines("kind,name\ncastle,A\n", plan=Plan())
    assert odd.problems[0].pointer == "/brief/kind"


def test_rows_that_are_wrong_are_lines_with_problems() -> None:
    text = b"name,date,venue\nA,1,B\nA,1,B,left over\n" + b"\xff\xfe,1,B\n" + b"C,3,D\n"
    found = lines(text)
    assert [bool(line.problems) for line in found] == [False, True, True, False]
    assert "beyond the 3 columns" in found[1].problems[0].message
    assert "UTF-8" in found[2].problems[0].message


def test_json_lines_are_briefs_requests_or_rows() -> None:
    brief = {**TEMPLATE, "title": "Own", "params": {"event": {"name": "N", "date": "1", "venue": "V"}}}
    texts = [json.dumps(brief), "", '{"name": "Row", "venue": "W"}', "{broken", "[1]"]
    found = lines("\n".join(texts), "a.jsonl")
    assert [line.number for line in found] == [1, 3, 4, 5]
    assert event(found[0])["slogan"] == "Come in", "a brief lies over the template"
    assert found[0].request().brief.title == "Own"
    assert event(found[1])["name"] == "Row"
    assert "not JSON" in found[2].problems[0].message
    assert "object" in found[3].problems[0].message
    (bare,) = lines(json.dumps({**brief, "title": ""}), "a.jsonl", Plan())
    assert bare.request().brief.title == "N", "a brief without a title is called after its event"
    (wrong,) = lines(json.dumps({**brief, "language": "??"}), "a.jsonl", Plan())
    with pytest.raises(BriefError) as refused:
        wrong.request()
    assert refused.value.problems[0].pointer == "/language", "pointed at from the line as it was sent"


def test_an_array_and_run_options_for_all() -> None:
    plan = Plan(kind="poster", run={"model": "recipe", "seed": 4}, tags=("spring",))
    values = [{"title": "A", "params": {}}, {"brief": {"title": "B"}, "run": {"seed": 9}, "tags": ["own"]}]
    first, second = lines(json.dumps(values), "a.json", plan)
    assert first.value is not None
    assert second.value is not None
    assert (first.value["run"]["seed"], second.value["run"]["seed"]) == (4, 9)
    assert first.value["tags"] == ["spring"]
    assert first.value["brief"]["kind"] == "poster"
