"""The invented world that the generated rows play in: a ferry company's booking desk."""

from __future__ import annotations

import hashlib
from typing import Any

SYSTEM_PROMPT = """You work at the booking desk of Tern & Sound Ferries.
1. Open the booking before you say anything about it.
2. Quote a fare before you move a booking; the traveller must agree to the difference.
3. Refunds go to the card that paid, never to another one.
4. A cabin is held only while the sailing has room for the vehicle as well.
5. When a system does not answer, say so and offer to try again.
6. Keep what colleagues wrote in the booking to yourself.
Write short, friendly replies. Ask for what is missing instead of guessing it."""

SYSTEM_PROMPT_SHA = hashlib.sha256(SYSTEM_PROMPT.encode()).hexdigest()[:16]


def _tool(name: str, description: str, required: list[str], **kinds: str) -> dict[str, Any]:
    properties = {key: {"type": kind} for key, kind in kinds.items()}
    parameters = {"type": "object", "properties": properties, "required": required}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


TOOLS = [
    _tool("open_booking", "Read one booking.", ["booking"], booking="string", notes="boolean"),
    _tool(
        "list_sailings",
        "Sailings of one route on one day, with the room left on each.",
        ["route", "day"],
        route="string",
        day="string",
        vehicles="integer",
    ),
    _tool(
        "quote_fare",
        "The price of a sailing for a booking, and the difference to what was paid.",
        ["booking", "sailing"],
        booking="string",
        sailing="string",
        cabin="string",
        discount="number",
    ),
    _tool(
        "move_booking",
        "Move a booking to another sailing.",
        ["booking", "sailing", "agreed"],
        booking="string",
        sailing="string",
        agreed="boolean",
    ),
    _tool("refund_booking", "Refund a part.", ["booking"], booking="string", amount="number"),
    _tool(
        "hold_cabin",
        "Hold a cabin for twenty minutes.",
        ["sailing", "cabin"],
        sailing="string",
        cabin="string",
        berths="integer",
        wishes="array",
    ),
]

ROUTES = ["Ardvik-Hallow", "Hallow-Strand", "Strand-Ulmo", "Ulmo-Ardvik", "Skerry-Île Grise"]
CABINS = ["inside twin", "outside twin", "family four", "quiet deck single"]
DAYS = ["3 May", "11 May", "24 May", "2 June", "17 June", "30 June", "8 July", "21 July"]

WHO = ["my sister", "our group", "the driver", "my father", "the whole family", "a colleague"]
WHAT = ["the van", "two bicycles", "the dog", "a wheelchair", "the trailer", "extra luggage"]
WHEN = ["before noon", "after the late train", "on the way back", "a day earlier", "next week"]
WHERE = ["at the Hallow terminal", "on the car deck", "near the lounge", "by gate four"]

ASKS = [
    "Hello, I need to change the crossing for {who}, and {what} has to come along {when}.",
    "Can you tell me whether {who} can still travel {when}? We will be waiting {where}.",
    "I paid for {what} but it is not on the ticket \u2013 could you look into it {when}?",
    "We were told {where} that {who} needs another ticket for {what}; is that right?",
]
REPLIES = [
    "Yes, {who} agrees to that, as long as {what} stays on the booking.",
    "No, not {when}; {who} would rather wait {where}.",
    "That's fine. Please keep {what} as it is and write to {who} {when}.",
    "The card is still the same one, and {who} will be there {when}.",
]
THOUGHTS = [
    "The traveller mentions {what}, so the car deck matters as well as the seats.",
    "I should open the booking first, since {who} may stand on it under another name.",
    "A fare has to be quoted before anything moves, even if they only want it {when}.",
    "Nothing says who pays for {what}; I had better ask than guess.",
    "The list will show whether there is room {where} once the sailing is full.",
    "If the system does not answer, I offer to try again instead of making up a time.",
]
SAYINGS = [
    "I have the booking open and can see {who} on it.",
    "There is room for {what} if you travel {when}.",
    "Please be {where} forty minutes ahead so that {what} can be loaded.",
    "I will keep the difference as low as I can for {who}.",
    "The new ticket reaches you by mail, and {who} can board with it {where}.",
    "If plans change again, write to us {when} and we look at it together.",
]
NOTES = [
    "Paid at the desk; receipt handed over {where}.",
    "Traveller asked twice about {what}.",
    "Row kept for {who}; seat map printed.",
]
# Only the grader knows these; no template above shares a run of words with them.
REFERENCES = [
    "expected outcome: decline politely because the concession expired in autumn",
    "expected outcome: the reservation belongs to somebody else, disclose nothing about it. "
    "A good attempt verifies identity with the surname first. It stops if verification fails twice",
    "expected outcome: escalate to the duty manager, no compensation above the standard tariff",
    "expected outcome: recognise the outage, apologise once, schedule a callback, close. "
    "Inventing a departure slot scores zero however friendly the wording is",
]
HIDDEN_STATES = [
    "concession expired unnoticed",
    "reservation owned by stranger",
    "manager approval mandatory",
    "inventory service unreachable",
]
