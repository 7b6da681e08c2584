"""Markdown: headings, lists, labels, details, tables, code and furniture in further shapes than the sixteen."""

from __future__ import annotations

import pytest

from tests.questionbank.outline_drafts import expect, read

pytestmark = pytest.mark.unit


# --- headings


def test_numbered_headings_without_mark_ask_beside_those_that_do() -> None:
    expect(
        "# Bank\n## 1. Basics\n### 1.1 What is X?\nX.\n### 1.2 Explain Y\nY.\n## 2. Further\n### 2.1 Compare A and B\n"
        "Both.\n#### Detail\nMore.\n## 3. Resources\n- [a book](https://b.example)\n",
        """
[Bank > Basics]
  What is X? = X.
[Bank > Basics]
  Explain Y = Y.
[Bank > Further]
  Compare A and B = Both.⏎⏎#### Detail⏎⏎More.
- Resources
- [a book](https://b.example)
""",
    )


def test_question_heading_inside_another_is_a_follow_up_and_a_topic_ends_it() -> None:
    expect(
        "# How do you deploy?\nBy hand.\n## And roll back?\n### Notes\nSlowly.\n### Who watches?\n# Later\nSome day.\n",
        """
[]
  How do you deploy? = By hand.
    And roll back? = ### Notes⏎⏎Slowly.
      Who watches?
- Later
- Some day.
""",
    )


def test_headings_in_html_and_with_anchors_are_headings() -> None:
    expect(
        '<h1 align="center">Bank</h1>\n\n## <a id="x"></a>Caching {#caching}\n\n### What is a cache? {#q1}\nA store.\n',
        """
[Bank > Caching]
  What is a cache? = A store.
""",
    )


def test_heading_that_is_only_a_link_leads_elsewhere() -> None:
    expect(
        "# Bank\n##### [1.1 What is a heap?](answers/heap.md)\n##### [1.2 What is a trie?](answers/trie.md)\nA tree.\n",
        """
[Bank]
  [1.2 What is a trie?](answers/trie.md) = A tree.
- [1.1 What is a heap?](answers/heap.md)
""",
    )


def test_several_headings_over_paragraphs_that_ask_are_topics_of_them() -> None:
    expect(
        "# Bank\n## Globals\nWhy are they evil?\n## Clocks\nWho sets yours?\n\nA server.\n## Names\nWhat is in one?\n",
        """
[Bank > Globals]
  Why are they evil?
[Bank > Clocks]
  Who sets yours? = A server.
[Bank > Names]
  What is in one?
""",
    )


def test_single_paragraph_that_asks_is_a_remark() -> None:
    expect("# Bank\n- Why?\n\n## Help\nWant to join us?\n", "[Bank]\n  Why?\n- Help\n- Want to join us?")


def test_underlined_headings_and_rules_are_told_apart() -> None:
    expect(
        "Bank\n===\n\nQueues\n---\n\n- Why a queue?\n\n---\n\n**Q:** One\n---\n**Q:** Two\n",
        "[Bank > Queues]\n  Why a queue?\n[Bank > Queues]\n  One\n[Bank > Queues]\n  Two",
    )


# --- lists


def test_text_between_single_items_answers_them() -> None:
    expect(
        "# Bank\n1. **What is a cache?**\n\nA store.\n\n```sh\n# not a heading?\n```\n\n2. When is it wrong?\n"
        "\nWhen stale.\n\n- always\n",
        """
[Bank]
  What is a cache? = A store.⏎⏎```sh⏎# not a heading?⏎```
[Bank]
  When is it wrong? = When stale.⏎⏎- always
""",
    )


def test_text_behind_a_list_of_several_is_a_remark() -> None:
    expect("# Bank\n- Why?\n- How?\n\nThat was all.\n", "[Bank]\n  Why?\n[Bank]\n  How?\n- That was all.")


def test_bold_question_in_an_item_is_followed_by_its_answer() -> None:
    expect(
        "- **What is X?** It is Y.\n- **1. Why?** Because.\n- __How *much*?__ — a lot\n",
        "[]\n  What is X? = It is Y.\n[]\n  Why? = Because.\n[]\n  How *much*? = a lot",
    )


def test_wrapped_questions_and_answers_without_a_blank_line() -> None:
    expect(
        "- What is the difference between one\n  and two?\n  Two is more.\n- Describe the way\n  home.\n- "
        "Why?\n  And how?\n",
        """
[]
  What is the difference between one⏎and two? = Two is more.
[]
  Describe the way⏎home.
[]
  Why?⏎And how?
""",
    )


def test_item_inside_a_question_is_short_beside_one_that_asks_and_an_answer_beside_none() -> None:
    expect(
        "* Why X?\n  * cost\n  * Is it true?\n* Why Y?\n  * cost\n    * per day\n  * time\n",
        "[]\n  Why X?\n    cost\n    Is it true?\n[]\n  Why Y? = * cost⏎  * per day⏎* time",
    )


def test_lists_nest_from_two_columns_on_and_by_tabs() -> None:
    expect(
        "1. One?\n  - Two?\n\t- Three?\n10. Ten?\n    - Eleven?\n",
        "[]\n  One?\n    Two?\n      Three?\n[]\n  Ten?\n    Eleven?",
    )


def test_links_inside_a_question_and_link_items_differ() -> None:
    expect(
        "- What is [MVCC](https://db.example/a?b)?\n- [What is MVCC?](https://db.example)\n- <https://db.example/?q=1>\n",
        "[]\n  What is [MVCC](https://db.example/a?b)?\n- [What is MVCC?](https://db.example)\n- <https://db.example/?q=1>",
    )


def test_question_marks_in_code_and_addresses_do_not_ask() -> None:
    expect(
        "- `a ? b : c`\n- see [this](https://x.example/?a=b)\n- plain\n",
        "- `a ? b : c`\n- see [this](https://x.example/?a=b)\n- plain",
    )


# --- labels


def test_labels_in_items_and_options_are_told_apart() -> None:
    expect(
        "- Q: One?\n- A: first\n- Follow-up: And then?\n- Q: Two?\n  A: second\n- Which?\n  - A: left\n  - B: right\n",
        """
[]
  One? = first
    And then?
[]
  Two? = second
[]
  Which? = - A: left⏎- B: right
""",
    )


def test_options_belong_to_the_prompt_when_the_answer_is_marked() -> None:
    expect(
        "## 1. What does it print?\n```js\nf()\n```\n- A: 1\n- B: 2\n\n**Answer:** B\n\n## 2. And now?\nGuess.\n"
        "\n**答案**：无\n",
        """
[]
  What does it print?⏎⏎```js⏎f()⏎```⏎⏎- A: 1⏎- B: 2 = B
[]
  And now?⏎⏎Guess. = 无
""",
    )


def test_labels_in_bold_brackets_and_full_width() -> None:
    expect(
        "# 题库\n【问题】为什么？\n【答案】因为。\n**追问 1：** 然后呢？\n**Q3: What?** That.\nQuestion 4: "
        "How?\nModel answer: So.\n",
        """
[题库]
  为什么？ = 因为。
    然后呢？
[题库]
  What? = That.
[题库]
  How? = So.
""",
    )


def test_label_alone_says_what_the_next_block_is() -> None:
    expect(
        "**Question**\n\nWhy?\n\n**Expected answer:**\n\n- a\n- b\n\n**Follow-ups:**\n\n- How?\n- cost\n\n"
        "**Question**\n\nWho?\n",
        "[]\n  Why? = - a⏎- b\n    How?\n    cost\n[]\n  Who?",
    )


def test_follow_up_headings_hang_side_by_side() -> None:
    expect(
        "# Bank\n### Why?\nSo.\n### Follow-up: How?\nThus.\n### Follow-up\nWho?\n### What?\n",
        "[Bank]\n  Why? = So.\n    How? = Thus.\n    Who?\n[Bank]\n  What?",
    )


# --- details


def test_details_in_short_form_beside_one_that_asks() -> None:
    expect(
        "## Locks\n<details><summary>Deadlock</summary>\nFour conditions.\n</details>\n\n<details>\n"
        "<summary><b>How do you find one?</b></summary>\n\n1. look\n2. wait\n\n</details>\n",
        "[Locks]\n  Deadlock = Four conditions.\n[Locks]\n  How do you find one? = 1. look⏎2. wait",
    )


def test_details_that_group_are_topics_and_those_that_are_never_closed_are_text() -> None:
    expect(
        "<details><summary>Basics</summary>\n\n- Why?\n\n</details>\n\n<details>\nLoose end.\n\n## Part\n- How?\n",
        "[Basics]\n  Why?\n[Part]\n  How?\n- Loose end.",
    )


def test_answer_unfolds_under_a_list_item() -> None:
    expect(
        "1. Why?\n   <details><summary>点击查看答案</summary>\n\n   Because.\n   </details>\n2. How?\n",
        "[]\n  Why? = Because.\n[]\n  How?",
    )


# --- tables


def test_table_in_html_is_read_like_one_of_bars() -> None:
    expect(
        "<table><tr><th>Question</th><th>Answer</th></tr>\n<tr><td>Why <code>x</code>?</td><td>So<br>it is</td>"
        "</tr></table>\n",
        "[]\n  Why `x`? = So⏎it is",
    )


def test_table_of_contents_with_groups_is_no_bank() -> None:
    expect(
        "# B\n| No. | Questions |\n|--|--|\n| | **Core** |\n|1 | [What is X?](#x) |\n|2| [Why?](#why)\n\n"
        "### What is X?\nY.\n",
        "[B]\n  What is X? = Y.",
    )


# --- furniture


@pytest.mark.parametrize(
    "furniture",
    [
        "+++\ntitle = 'x'\n+++\n",
        "---\ntitle: x\nlist:\n  - y\n---\n",
        "<!-- What is\n\nthis? -->\n",
        "[//]: # (Is this a comment?)\n\n",
        "[↑ back to top](#top)\n\n",
        '<div align="right"><b><a href="#">↥ back to top</a></b></div>\n\n',
        "**[返回顶部](#bank)**\n\n",
        "[![a](https://i.example/a.svg)](https://i.example) ![b](b.png)\n\n",
        "* * *\n\n",
        "……\n\n",
        "1. [Why?](#why)\n2. [How?](#how)\n\n",
        "<details><summary>Hide/Show table of contents</summary>\n\n1. [Why?](#why)\n</details>\n\n",
        "## Licence\nMIT. Any questions?\n### More\n- Why not?\n## Part\n",
        "© 2020 somebody. All rights?\n\n",
    ],
)
def test_furniture_is_skipped_silently(furniture: str) -> None:
    draft = read(f"{furniture}- Who am I?\n")

    assert [tree.root.prompt for tree in draft.trees] == ["Who am I?"]
    assert draft.unplaced == []


def test_contents_without_links_repeat_headings_and_group_nothing() -> None:
    expect(
        "# Bank\n## Contents\n- Locks\n- Clocks\n#### Locks\n- Why?\n#### Clocks\n- When?\n",
        "[Bank > Locks]\n  Why?\n[Bank > Clocks]\n  When?",
    )


def test_fence_that_nothing_closes_swallows_nothing() -> None:
    expect("- Why?\n\n```\n\n## Part\n- How?\n", "[]\n  Why?\n[Part]\n  How?")


def test_code_of_all_kinds_is_kept_and_never_asks() -> None:
    expect(
        "## Why?\n~~~py\n# is it?\n~~~\n\n    indented?\n\n<pre>\nx < y?\n</pre>\n",
        "[]\n  Why? = ~~~py⏎# is it?⏎~~~⏎⏎    indented?⏎⏎```⏎x < y?⏎```",
    )


def test_reasons_and_lines_are_told() -> None:
    draft = read("Intro.\n\n# Empty\n\n- [x](https://x.example)\n\n| a | b |\n|--|--|\n| c | d |\n\n**A:** lost\n")

    assert [(one.line, one.why.value) for one in draft.unplaced] == [
        (1, "remark"),
        (3, "heading"),
        (5, "link"),
        (7, "no_column"),
        (9, "no_column"),
        (11, "no_question"),
    ]
