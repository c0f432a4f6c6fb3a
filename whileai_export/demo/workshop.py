"""The clean simulation: a bicycle workshop's desk, twelve tasks, four rollouts each."""

from __future__ import annotations

from typing import NamedTuple

from whileai_export.demo.simulation import (
    Profile,
    Simulation,
    assistant,
    call,
    graded,
    result,
    tool,
    user,
)
from whileai_export.shared.schema import JsonObject

PROFILE = Profile(
    policy=(
        "You answer the desk of a bicycle workshop.\n"
        "1. Read the ticket before you name a price.\n"
        "2. Name the price before you book.\n"
        "3. Book the day the customer chose, and no other."
    ),
    tools=[
        tool("read_ticket", "The repair ticket with this number.", "ticket"),
        tool("free_days", "The days with a free place this week."),
        tool("book_day", "Books a place for a ticket.", "ticket", "day", minutes="integer"),
    ],
)


class Job(NamedTuple):
    """One customer's repair: one task."""

    ticket: str
    bicycle: str
    fault: str
    part: str
    euros: int
    minutes: int
    day: str


JOBS = [
    Job(f"W-{410 + n}", *rest)
    for n, rest in enumerate(
        [
            ("touring bike", "the brakes squeal", "brake pads", 38, 40, "Tuesday"),
            ("city bike", "the chain keeps slipping", "a chain", 54, 45, "Thursday"),
            ("cargo bike", "the front wheel wobbles", "two spokes", 29, 60, "Monday"),
            ("folding bike", "the hinge creaks", "a hinge bolt", 17, 20, "Friday"),
            ("road bike", "the gears jump", "a shift cable", 33, 30, "Wednesday"),
            ("child's bike", "the tyre is flat again", "a tube", 14, 15, "Tuesday"),
            ("tandem", "the rear brake is soft", "a brake hose", 71, 90, "Thursday"),
            ("gravel bike", "the bottom bracket knocks", "a bearing set", 62, 75, "Monday"),
            ("mountain bike", "the fork leaks oil", "fork seals", 96, 120, "Friday"),
            ("e-bike", "the light went out", "a lamp socket", 26, 25, "Wednesday"),
            ("racing bike", "the saddle slides down", "a seat clamp", 19, 15, "Monday"),
            ("recumbent", "the steering is stiff", "a headset", 58, 80, "Thursday"),
        ]
    )
]

WORDINGS = (
    "It needs {part}: {euros} euros, labour included. Which day suits you?",
    "I have your ticket. With {part} it comes to {euros} euros. When would you like to come?",
    "The repair is {part} for {euros} euros in all. Free days are Monday to Friday; which one?",
)


def ask(job: Job) -> JsonObject:
    return user(
        f"Hello, my {job.bicycle} is with you, ticket {job.ticket}: {job.fault}. "
        "What will it cost, and can I have a day this week?"
    )


def look_up(job: Job, both: bool) -> list[JsonObject]:
    """The agent reads the ticket; a quick one asks for the free days in the same turn."""
    ticket = {"ticket": job.ticket, "needs": job.part, "price": job.euros, "minutes": job.minutes}
    calls = [call("call_a", "read_ticket", ticket=job.ticket)]
    results = [result("call_a", "read_ticket", ticket)]
    if both:
        calls.append(call("call_b", "free_days"))
        results.append(result("call_b", "free_days", {"days": ["Monday", job.day]}))
    return [assistant("<think>Rule 1: the ticket first.</think>", *calls), *results]


def booked(job: Job, day: str, closing: str) -> list[JsonObject]:
    booking = call("call_c", "book_day", ticket=job.ticket, day=day, minutes=job.minutes)
    return [
        assistant(f"<think>{day} was asked for, so {day} it is.</think>One moment.", booking),
        result("call_c", "book_day", {"booked": True, "day": day}),
        assistant(closing),
    ]


def good(job: Job, wording: int) -> list[JsonObject]:
    price = WORDINGS[wording].format(part=job.part, euros=job.euros)
    return [
        *look_up(job, both=wording == 1),
        assistant(price),
        user(f"{job.day}, please."),
        *booked(job, job.day, f"You are booked for {job.day}. It will be {job.euros} euros."),
    ]


def hasty(job: Job) -> list[JsonObject]:
    """Books without saying what it costs."""
    return [
        *look_up(job, both=False),
        assistant("That can be mended. Which day suits you?"),
        user(f"{job.day}, please."),
        *booked(job, job.day, f"You are booked for {job.day}."),
    ]


def guessed(job: Job) -> list[JsonObject]:
    """Names a price without reading the ticket."""
    return [
        assistant(f"<think>Probably cheap.</think>That is usually {job.euros // 2 + 3} euros."),
        user("Is that certain?"),
        assistant("Fairly. Just come by some day this week."),
    ]


def rollout(number: int, job: Job, k: int) -> JsonObject:
    """The k-th attempt: most tasks have two good ones, a hasty one and a guess."""
    if k == 3 and number % 4 != 3:
        turns, reward, reason = guessed(job), 0.0, "named a price without the ticket"
    elif k == 2 and number % 3 != 2:
        turns, reward, reason = hasty(job), 0.6, "did not name the price"
    else:
        # Every third task repeats itself word for word: the exact duplicates.
        wording = 0 if number % 3 == 2 else k % 3
        turns, reward, reason = good(job, wording), 1.0, "read, priced, booked"
    return {
        **graded(f"workshop-{number:02}", k, PROFILE.policy, reward, reason),
        "prompt": ask(job)["content"],
        "messages": [ask(job), *turns],
        "privileged": {
            "hidden_state": {"margin_percent": 31 + number, "promised_callback": True},
            "reference": "price from the ticket is quoted ahead of any booking",
            "rubric": ["one point for the ticket", "one point for quoting", "one for the day"],
        },
    }


def workshop_desk() -> Simulation:
    """48 trajectories in the shape ``messages``; nobody quotes the grader."""
    rows = [rollout(n, job, k) for n, job in enumerate(JOBS) for k in range(4)]
    return Simulation("workshop_desk", PROFILE, rows)
