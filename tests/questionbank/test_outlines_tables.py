"""CSV and its kin, workbooks, and the preview in which columns are given their roles."""

from __future__ import annotations

import datetime

import pytest

from questionbank.exchange.outlines import preview_table
from questionbank.exchange.outlines.columns import Role, role_of
from tests.questionbank.outline_drafts import expect, read, workbook

pytestmark = pytest.mark.unit


def test_other_names_and_a_title_above_the_header() -> None:
    draft = expect(
        "Interview Questions,,\nKategorie,Question (EN),Ideal Response,Probing Questions,Seniority\n"
        'A,"What is ""x""?",- one,"- why?\n2. ""how?""",senior\n,Second,none,N/A,\n',
        '[]\n  What is "x"? = - one\n    why?\n    how?\n[]\n  Second\n- Interview Questions',
        "bank.csv",
    )

    assert draft.unread == ["Kategorie", "Seniority"]


def test_chinese_table_by_parent_in_tabs_with_an_unknown_parent_and_a_circle() -> None:
    draft = expect(
        "编号\t父编号\t题目\t参考答案\t主题\n2\t1\t为什么？\t\t\n1\t\t什么是X？\t是Y\t甲\n3\t什么是X？\t按题面找？\t\t\n"
        "4\t5\t一？\t\t\n5\t4\t二？\t\t\n6\t5\t挂在圈上？\t\t\n7\t99\t没有？\t\t\n",
        """
[甲]
  什么是X？ = 是Y
    为什么？
    按题面找？
- 4 | 5 | 一？
- 5 | 4 | 二？
- 6 | 5 | 挂在圈上？
- 7 | 99 | 没有？
""",
        "bank.tsv",
    )

    assert [(one.code, one.line) for one in draft.warnings] == [
        ("row_circle", 5),
        ("row_circle", 6),
        ("row_circle", 7),
        ("row_parent_unknown", 8),
    ]


def test_id_given_twice_is_reported_and_the_first_is_the_parent() -> None:
    draft = expect(
        "id,parent,question\n1,,First?\n1,,Second?\n2,1,Below?\n",
        "[]\n  First?\n    Below?\n[]\n  Second?",
        "bank.csv",
    )

    assert [(one.code, one.line, dict(one.values)) for one in draft.warnings] == [("row_id_twice", 3, {"id": "1"})]


def test_levels_from_nought_and_what_hangs_on_a_skipped_one() -> None:
    expect(
        "层级|问题|答案\n0|根？|\n1|子？|答\n3|跳过？|\n4|挂着？|\n1|又一个|\n",
        "[]\n  根？\n    子？ = 答\n    又一个\n- 3 | 跳过？\n- 4 | 挂着？",
        "bank.csv",
    )


@pytest.mark.parametrize("column", [["Senior", "Junior"], ["L4", "L5"], ["easy", "hard"]])
def test_seniority_and_difficulty_are_no_levels(column: list[str]) -> None:
    draft = expect(f"level;question\n{column[0]};One?\n{column[1]};Two?\n", "[]\n  One?\n[]\n  Two?", "bank.csv")

    assert draft.unread == ["level"]


def test_nested_topics_several_answers_and_numbered_follow_ups() -> None:
    expect(
        "Category,Sub-category,Q,Answer,Explanation,Follow-up Question 1,Answer to follow-up 1,Follow-up Question 2\n"
        'Db,Index,Why?,So.,Because.,"How?\nAnd who?",Thus.,What?\n',
        "[Db > Index]\n  Why? = So.⏎⏎Because.\n    How?⏎And who? = Thus.\n    What?",
        "bank.csv",
    )


def test_answers_of_unnumbered_follow_ups_are_given_line_by_line() -> None:
    expect(
        '问题,追问,追问答案\n为什么？,"怎么？\n谁？","这样\n他"\n何时？,,没有问题的答案\n',
        "[]\n  为什么？\n    怎么？ = 这样\n    谁？ = 他\n[]\n  何时？\n- 没有问题的答案",
        "bank.csv",
    )


def test_table_without_a_question_column_is_unplaced_unless_columns_are_mapped() -> None:
    source = "Thema,Frage,Antwort\nNetz,Warum?,Darum.\n"
    expect(source, "- Thema | Frage | Antwort\n- Netz | Warum? | Darum.", "bank.csv")

    mapping = {"Thema": "topic", "Frage": "question", "Antwort": "answer"}
    expect(source, "[Netz]\n  Warum? = Darum.", "bank.csv", mapping=mapping)


def test_mapping_takes_the_place_of_guessing_column_by_column() -> None:
    source = "topic,question,answer,notes\nA,Why?,So.,Remember\n"

    expect(
        source,
        "[]\n  Why? = Remember",
        "bank.csv",
        mapping={"topic": "ignored", "answer": "ignored", "notes": "answer"},
    )


def test_delimiter_hint_and_commas_inside_semicolons() -> None:
    expect("sep=;\nquestion;answer\nWhat, and why?;a, b\n", "[]\n  What, and why? = a, b", "bank.csv")
    expect("question|answer\nOne, two?|a; b\n", "[]\n  One, two? = a; b", "bank.csv")


def test_preview_gives_header_sample_and_guessed_roles() -> None:
    source = "Bank,,\n\nTopic,Question,Level,Tags\nA,Why?,1,x\nB,How?,2,y\n"
    preview = preview_table(source.encode(), "bank.csv")

    assert len(preview) == 1
    assert preview[0].header == ("Topic", "Question", "Level", "Tags")
    assert preview[0].rows == (("A", "Why?", "1", "x"), ("B", "How?", "2", "y"))
    assert preview[0].roles == (Role.TOPIC, Role.QUESTION, Role.LEVEL, Role.IGNORED)
    assert preview[0].found
    assert preview_table(b"# no table", "bank.md") == []
    assert not preview_table(b"Frage,Antwort\nWarum?,Darum\n", "bank.csv")[0].found


@pytest.mark.parametrize(
    ("name", "role", "number"),
    [
        ("Interview Question", "question", None),
        ("question_text", "question", None),
        ("题目内容", "question", None),
        ("Number of questions", "", None),
        ("Expected Answer Points", "answer", None),
        ("expectedAnswer", "answer", None),
        ("What to look for", "answer", None),
        ("参考答案", "answer", None),
        ("Follow-up", "follow_up", None),
        ("followups", "follow_up", None),
        ("follow_up_2", "follow_up", 2),
        ("追问二", "follow_up", 2),
        ("follow_up_2_answer", "follow_up_answer", 2),
        ("追问1答案", "follow_up_answer", 1),
        ("Answer to follow-up 3", "follow_up_answer", 3),
        ("parent_id", "parent", None),
        ("父级编号", "parent", None),
        ("Follow-up to", "parent", None),
        ("depth", "level", None),
        ("层级", "level", None),
        ("Difficulty", "", None),
        ("难度", "", None),
        ("Main Topic", "topic", None),
        ("知识点", "topic", None),
        ("Question ID", "id", None),
        ("No.", "weak_id", None),
        ("tags", "", None),
        ("Minutes", "", None),
    ],
)
def test_name_of_a_column_says_what_it_holds(name: str, role: str, number: int | None) -> None:
    assert role_of(name) == (role, number)


# --- workbooks


def test_merged_question_has_the_follow_ups_of_all_its_rows() -> None:
    rows = [["Question", "Follow-up", "Topic"], ["Why?", "How?", "A"], [None, "Who?", None], ["What?", None, "B"]]

    expect(
        workbook({"Bank": rows}, {"Bank": ["A2:A3", "C2:C3"]}),
        "[Bank > A]\n  Why?\n    How?\n    Who?\n[Bank > B]\n  What?",
        "bank.xlsx",
    )


def test_title_merged_over_rows_and_columns_stands_once() -> None:
    rows = [["Spring bank"], [], ["Question"], ["Why?"]]

    expect(workbook({"S": rows}, {"S": ["A1:C2"]}), "[S]\n  Why?\n- Spring bank", "bank.xlsx")


def test_formulas_numbers_dates_and_truth_are_text() -> None:
    day = datetime.date(2026, 3, 1)
    rows = [
        ["Question", "Answer"],
        ["When?", day],
        ["How many?", 3.0],
        ["Sum?", "=SUM(A1:A3)"],
        ["True?", True],
        ["Half?", 0.5],
    ]

    expect(
        workbook({"S": rows}),
        "[S]\n  When? = 2026-03-01\n[S]\n  How many? = 3\n[S]\n  Sum? = =SUM(A1:A3)\n[S]\n  True? = TRUE\n"
        "[S]\n  Half? = 0.5",
        "bank.xlsx",
    )


def test_hidden_sheets_are_read_and_sheets_without_questions_listed_by_name() -> None:
    draft = expect(
        workbook({"One": [["Prompt"], ["Why?"]], "Lists": [["Levels"], ["easy"], ["hard"]]}),
        "[One]\n  Why?\n- Levels\n- easy\n- hard",
        "bank.xlsx",
    )

    assert [(one.where, one.line) for one in draft.unplaced] == [("Lists", 1), ("Lists", 2), ("Lists", 3)]


def test_levels_and_parents_work_in_workbooks() -> None:
    rows = [["No.", "Parent", "题目"], [1, None, "根？"], [2, 1, "子？"], [3, 2.0, "孙？"]]

    expect(workbook({"Sheet1": rows}), "[Sheet1]\n  根？\n    子？\n      孙？", "bank.xlsx")


def test_code_answers_keep_what_looks_like_html() -> None:
    rows = [["Question", "Code Answer"], ["How?", "if a <b> c:\n    return"]]

    expect(workbook({"S": rows}), "[S]\n  How? = if a <b> c:⏎    return", "bank.xlsx")


def test_preview_of_a_workbook_has_one_sheet_each() -> None:
    data = workbook({"One": [["Q", "A"], ["Why?", "So"]], "Two": [["x"], ["y"]]})

    assert [(one.name, one.found) for one in preview_table(data, "bank.xlsx")] == [("One", True), ("Two", False)]


def test_columns_that_nothing_reads_are_named_once() -> None:
    draft = read("question,Tags,Empty,\nWhy?,x,,y\nHow?,z,,\n", "bank.csv")

    assert draft.unread == ["Tags", "#4"]
