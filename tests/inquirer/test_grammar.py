"""The rule grammar and the person swap, against tables that were read by a person."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from arena.core.types import Kind
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.filters import well_formed
from inquirer.grammar import RULES, yes_no
from inquirer.grammar.__main__ import table
from inquirer.language.sentences import sentences
from inquirer.person import swap
from inquirer.questions.rules import write

HERE = Path(__file__).parent


def rows(name: str) -> list[list[str]]:
    with (HERE / name).open(newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize(("text", "swapped"), rows("person.tsv"))
def test_person_swap(text: str, swapped: str) -> None:
    assert swap(text) == swapped


EXAMPLES = [(rule.name, text, question) for rule in RULES for text, question in rule.examples.items()]


@pytest.mark.parametrize(("name", "text", "question"), EXAMPLES)
def test_a_rule_asks_what_its_examples_say(name: str, text: str, question: str) -> None:
    written = write(Task(text, tuple(entities(text)), (Kind.WH,)))
    assert (question, name) in [(q.text, q.rule) for q in written]


@pytest.mark.parametrize(("text", "question"), yes_no.EXAMPLES.items())
def test_yes_no_examples(text: str, question: str) -> None:
    written = write(Task(text, tuple(entities(text)), (Kind.YES_NO_TRUE, Kind.YES_NO_FALSE)))
    assert question in [q.text for q in written if q.rule == yes_no.NAME]


def test_every_rule_has_a_name_of_its_own_and_examples() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names) and yes_no.NAME not in names
    assert all(rule.examples and rule.matches for rule in RULES)


@pytest.mark.parametrize(("utterance", "kind", "question"), rows("grammar.tsv"))
def test_question(utterance: str, kind: str, question: str) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind(kind),)))
    assert question in [q.text for q in written if q.kind == kind]


NOTHING_TO_ASK = [
    "it is what it is", "you should visit my city", "i think so", "that is great", "if i were rich",
    "nice to meet you",
    "i don't know", "hello", "thank you so much", "what do you do for a living", "you are funny", "i do",
    "yes i am", "i am doing great thanks", "my favorite", "it is nice to meet you", "i hope so because it was boring",
    "do you know that i like pizza ?", "i wonder what you like ?", "what kind of music do i like ?",
    "i don't have any", "i don't know him", "that is so sad", "she is right about that", "a lot of it",
]  # fmt: skip


@pytest.mark.parametrize("utterance", NOTHING_TO_ASK)
def test_says_nothing_about_its_speaker(utterance: str) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.WH,)))
    assert [q.text for q in written if not well_formed(q)] == []


@pytest.mark.parametrize(
    ("utterance", "question"),
    [
        ("maybe i can become a mechanic too", "What can you do?"),
        ("i'm working so i can afford a rolls royce", "What can you do?"),
        ("i like to rock climb", "What do you like to rock?"),
        ("we all have different values", "What do you have?"),
        ("i used to like to talk", "What did you use to do?"),
        ("i just got to work", "Where did you get?"),
        ("he is a good singer", "What does he do for a living?"),
        ("i am a new home owner", "What do you do for a living?"),
        ("i am afraid of cooking for people", "What are you afraid of for people?"),
        ("i won t allow death metal music in my house", "What did you do?"),
        ("the cold makes my joints hurt", "What does the cold make?"),
        ("my name is hugging face", "What is your name hugging?"),
        ("i can make time stop", "What can you make?"),
        ("i stay at home and tend to my farm", "Where do you tend?"),
        ("my boyfriend broke up with me two months ago", "What happened to your boyfriend two months ago?"),
        ("i'm fine tomorrow", "When are you fine?"),
        ("i like doing them", "What do you like doing?"),
        ("i am hoping my son wants to do it", "Who wants to do it?"),
        ("i guess i took after my dad", "What did you do?"),
        ("i am fluent in english spanish and french", "What language are you fluent in spanish and french?"),
        ("we are christain", "What is your name?"),
        ("i have antique banjos i keep in the back of my yacht", "Where do you keep?"),
        ("i went to school at yale", "Where did you go at yale?"),
        ("i cook free pizza", "What kind of pizza do you cook?"),
        ("having three dogs keeps me busy cleaning", "Who keeps you busy cleaning?"),
        ("I'm Hugging Face", "What are you Hugging?"),
        ("i am here for the weekend", "Why are you here?"),
        ("i'm really looking forward to your hotel tonight", "When are you looking forward to my hotel?"),
        ("i am currently looking for a new job", "What kind of job are you currently looking for?"),
        ("i love travis scott and playing basketball", "What sports do you love?"),
        ("i love eating cheeseburgers and watching films", "What do you love eating?"),
        ("i survived the cancer scare so i've to", "Why do you have?"),
        ("i am sorry to heart that", "What are you sorry to?"),
        ("i hike a little with my wife", "What do you hike with your wife?"),
        ("the triplets will be here three months from now", "When will the triplets be here from now?"),
        ("i read anything with spiderman", "What do you read anything with?"),
        ("i have loved music since my first concert", "Since when have you loved music?"),
        ("i have a sweet tooth", "What do you have?"),
        ("i sold my honda civic", "What kind of car do you have?"),
        ("i am moving to texas soon", "What are you doing?"),
        ("i would rather stay home", "What would you do?"),
        ("i'd buy a cup of coffee", "What would you do?"),
        ("my birthday is today", "What is your birthday?"),
        ("my mother makes sure i brush my teeth", "Who makes sure?"),
        ("i just got off work", "What did you get off?"),
        ("i play quite a lot of instruments", "What do you play quite?"),
        ("i try to pay attention", "What do you try to pay?"),
        ("i take my dog to compete in agility classes", "What do you do to compete in agility classes?"),
        ("cookies are my favorite to bake !", "What is your favorite food?"),
        ("soda make my tummy hurt", "What do soda make?"),
        ("my parents were upset about the whole thing", "What were your parents upset about?"),
        ("i have a few pets", "What kind of pets do you have?"),
        ("i'm a bit of a planner", "What do you do for a living?"),
        ("i paid the price", "What did you pay?"),
        ("my sister pole dances to rock music", "What dances to rock music?"),
        (
            "every day i also power walk with my dog brownie",
            "What do you power with your dog brownie every day?",
        ),
        ("we should meet for a run", "What should you meet for?"),
        ("i have a son in high school right now", "Where do you have a son?"),
        ("we are a mixed race couple", "How would you describe yourself?"),
        ("his name is banjo and he is a mini aussie shepherd", "What does he do for a living?"),
        ("we are always fishing too", "What are you doing?"),
        ("my husband and i are now homeowners", "What do you and your husband do for a living?"),
        ("i was a kicker in college", "What did you do for a living?"),
        ("i grew up with hip hop in the eighties", "Where did you grow up with hip hop?"),
        ("they will burn me at the stake", "Where will they burn you?"),
        ("we were friends from ever since we met at 1", "Why were you friends ever?"),
        ("my aunt help get me to the u . s .", "What gets you to the I?"),
        ("i lied i do not have a dog", "What did you do?"),
        ("it has been three months since i talked in fact", "What did you do?"),
        (
            "i avoid chocolate in case my dog gets into my treats",
            "What do you avoid in case into your treats?",
        ),
        ("i survived a battle with cancer", "What did you survive with cancer?"),
        ("i like when i get to play with my friends", "When do you like?"),
        ("i'm chillin , do you have any pets ?", "What is your name?"),
        ("i am kind of sad because my ex left", "Why are you kind?"),
        ("we are getting married next september", "What are you getting married next?"),
        ("i start school in may", "Where do you start school?"),
        ("i want to be a nurse and work at a hospital", "Where do you work?"),
        ("i should go to the store and get some music", "What do you get?"),
        ("maybe i will be a fitness trainer there", "What will you be there?"),
        ("enjoying the day at home after working this morning", "When are you enjoying the day at home?"),
        ("just enjoying my grandchildren and the great weather", "Who are you enjoying?"),
        ("i eat to much french fries", "What do you eat to?"),
        ("i am a canadian", "How would you describe yourself?"),
        ("yes i'm a huge fan", "How would you describe yourself?"),
        ("my brother is the hunter in my family", "What does your brother do for a living?"),
        ("i go to school from home", "Where do you go from?"),
        ("i'm in band at school", "Where are you?"),
        ("the color pink is bad to my eyes", "What is the color pink bad to?"),
        ("i tend to stick indoors", "What do you tend to stick?"),
        ("i have cancer and no smartphone", "What do you have?"),
        ("i'm going to cook dinner", "What are you doing?"),
        ("i have two cats , old and fat", "What are your cats' names?"),
        ("i want to leave school as soon as i can", "What do you want to leave as soon?"),
        ("i love pizza . it is cold outside", "Why do you love pizza?"),
        ("i love my kids . they also love me", "Why do you love your kids?"),
        ("i like music . do you ? they are fun", "Why do you like music?"),
        ("I'm a large language model created by a company.", "What do you do for a living?"),
        ("I am a digital assistant.", "What do you do for a living?"),
        ("I'm a guide developed by a company.", "What do you do for a living?"),
        ("i work as a chatbot", "What do you do for a living?"),
        ("I am an AI assistant in Boston.", "Where are you an AI assistant?"),
        ("i m stuck indoors .", "What do you do for a living?"),
        ("I love their music.", "What do you love?"),
        ("I love the app.", "What do you love?"),
        ("I like to relax and watch movies.", "What do you like to relax and watch?"),
        ("I used to have a cat named Luna.", "What is your cat's name?"),
        ("i got a big house with 7 rooms", "How many rooms did you get a big house with?"),
        ("I am a guard in Rome, and a father to my sons.", "Where are you a guard to your sons?"),
        ("I always dreamed of flying when I was a boy.", "When did you always dream of flying?"),
        ("I hope to be able to travel", "What do you hope to be?"),
        ("i enjoy disney world and go every year", "How often do you go?"),
        ("i finished in 1995", "When did you finish?"),
        ("I write them every day.", "How often do you write them?"),
        ("monopoly is my favorite", "Which one is your favorite?"),
        ("i'm a 56 year old lady with two children", "How many children are you a 56 year old lady with?"),
        ("i'm a 56 year old lady with two children", "Who are you a 56 year old lady with?"),
    ],
)
def test_what_nobody_would_ask_is_not_asked(utterance: str, question: str) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.WH,)))
    assert question not in [q.text for q in written]


@pytest.mark.parametrize(
    ("utterance", "question"),
    [
        ("i like rock music", "Do you like folk music?"),
        ("i play the guitar", "Do you play the piano?"),
        ("i've been married for ten years", "Have you been married for five years?"),
    ],
)
def test_a_false_question_is_false(utterance: str, question: str) -> None:
    """Liking one thing denies no other; ten years hold five."""
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.YES_NO_FALSE,)))
    assert question not in [q.text for q in written]
    assert not written


ENTITIES = [
    ("i walk dogs to pay for school", "Why do you walk dogs?", "pay for school"),
    ("i love animals so i am vegan", "Why are you vegan?", "i love animals"),
    ("i walk with my dog brownie", "What is your dog's name?", "brownie"),
    ("i have two dogs , max and bella", "What are your dogs' names?", "max and bella"),
    ("i spend my time playing games", "What do you spend your time doing?", "playing games"),
    ("i'm not a fan of jazz", "What aren't you a fan of?", "jazz"),
    ("i have a seven year old daughter", "How old is your daughter?", "seven year old"),
    ("i have a shiny red helmet", "What color is your helmet?", "red"),
]


@pytest.mark.parametrize(("utterance", "question", "entity"), ENTITIES)
def test_the_entity_is_what_answers(utterance: str, question: str, entity: str) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.WH,)))
    assert entity in [q.entity.text for q in written if q.text == question]


def test_a_favorite_is_named_by_what_was_spoken_of_before() -> None:
    text = "do you like movies ? my favorite is dune ."
    written = [q.text for q in write(Task(text, tuple(entities(text)), (Kind.WH,)))]
    assert "What is your favorite movie?" in written


@pytest.mark.parametrize(
    "text", ["my son (8) likes chess", "i use windows XP at work", "i live at 8) main street"]
)
def test_what_only_looks_like_a_smiley_ends_no_sentence(text: str) -> None:
    assert len(sentences(text)) == 1
    assert [len(sentences(f"i like tea {smile} i like milk")) for smile in (":)", ";-)", "xD", "<3")] == [
        2
    ] * 4


@pytest.mark.parametrize("utterance", ["i just got back from two", "i came home from 1995"])
def test_a_number_may_end_what_was_said(utterance: str) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.WH,)))
    assert not any(q.text.startswith("Where") for q in written)


def test_a_question_is_written_once() -> None:
    text = "i go to school for hairstyling"
    written = [q.text for q in write(Task(text, tuple(entities(text)), (Kind.WH,)))]
    assert written.count("What do you go to school for?") == 1


def test_tables_are_large_enough() -> None:
    assert len(rows("person.tsv")) + len(rows("grammar.tsv")) >= 150


def test_expected_answers() -> None:
    by_kind = {
        q.kind: q
        for q in write(
            Task(
                "my hair is purple",
                tuple(entities("my hair is purple")),
                (Kind.WH, Kind.YES_NO_TRUE, Kind.YES_NO_FALSE),
            )
        )
    }
    assert by_kind[Kind.WH].expected == "purple"
    assert by_kind[Kind.YES_NO_TRUE].expected == "yes"
    assert by_kind[Kind.YES_NO_FALSE].expected == "no"
    assert by_kind[Kind.YES_NO_FALSE].text != by_kind[Kind.YES_NO_TRUE].text


@pytest.mark.parametrize(
    ("utterance", "asked"),
    [
        ("pizza is great", []),  # nothing about the speaker
        ("my favorite is green", []),  # my favorite what?
        ("i have two . a boy and a girl", []),
        ("i love them on sandwiches", []),
        ("my dad met my uncle . he is a nurse", ["Did your dad meet your uncle?"]),  # who is a nurse?
        ("once my daughter goes to college i am free", ["Are you free?"]),
        ("I love their music.", []),  # whose?
        ("i love the app", []),  # which one?
        ("i've always wanted to visit", []),
        ("i like baseball better", []),  # than what?
        ("i'm a huge fan", []),  # of what?
        ("i love em", []),
        ("I love to play!", []),  # what?
        ("i've been here four months", []),
        ("they're my babies", []),
        ("i'm no longer in the army", []),
        ("i'm here for the tour", []),
        ("i want a city that never sleeps", []),
        ("I spend my days watching the sunrise over", []),  # the message was cut off
        ("It is a feeling I get after a run.", []),
    ],
)
def test_yes_no_questions_are_about_a_fact_of_the_speaker(utterance: str, asked: list[str]) -> None:
    written = write(Task(utterance, tuple(entities(utterance)), (Kind.YES_NO_TRUE,)))
    assert [q.text for q in written] == asked


def test_an_emphatic_do_is_asked_like_a_plain_verb() -> None:
    plain, emphatic = (
        write(Task(text, tuple(entities(text)), (Kind.YES_NO_TRUE,)))[0]
        for text in ("i enjoy gambling too", "i do enjoy gambling")
    )
    assert plain.text == emphatic.text == "Do you enjoy gambling?"
    assert abs(plain.score - emphatic.score) < 0.1


def test_the_example_of_the_page_is_asked_what_the_page_says() -> None:
    page = (HERE.parents[1] / "docs" / "inquirer.md").read_text(encoding="utf-8")
    steps = " ".join(page.partition("## From a message to a question")[2].partition("\n## ")[0].split())
    output = steps.partition("Take `")[2].partition("`")[0]
    shown = [x for x in steps.split('"')[1::2] if x.endswith("?")]
    asked = [q.text for q in write(Task(output, tuple(entities(output)), (Kind.WH, Kind.YES_NO_TRUE)))]
    assert len(shown) == 4 and set(shown) <= set(asked)


def test_the_page_has_the_table_of_the_code() -> None:
    page = (HERE.parents[1] / "docs" / "inquirer.md").read_text(encoding="utf-8")
    written = page.partition("<!-- rules -->\n")[2].partition("\n<!-- end of rules -->")[0]
    assert written == table(), "run: python -m inquirer.grammar, and put the table into docs/inquirer.md"
