import type { DemoArticle } from "./types.ts";

export const fieldNotesEn: DemoArticle[] = [
  {
    slug: "arriving-by-ferry",
    cover: "ferry",
    locale: "en",
    tags: ["Ferries", "Slow travel"],
    authors: ["Maren Holt"],
    title: "Arriving by ferry",
    description:
      "Why the slowest way into a small harbour is often the best one, and what to do with the first hour ashore.",
    content: `A train drops you in the middle of a town and a plane drops you outside it. A ferry does something else: it shows you the whole place first, from a distance, and gives you twenty minutes to think about it.

I try to spend those minutes on deck. By the time the ropes go out I usually know where the church is, which side of the bay gets the evening sun, and how far the houses climb before the hill wins.

## What to look for on the way in

- **The breakwater.** A long, heavy one tells you where the bad weather comes from. The village will have its back to that side.
- **The working boats.** If they are moored closest to the ice house or the fuel pump, fishing still sets the timetable here.
- **The road out.** Follow it with your eyes. If it zigzags, allow more time for tomorrow's walk than the map suggests.
- **The bench.** Nearly every harbour has one that catches the light and stays out of the wind. Somebody will be sitting on it.

![A small harbour at dawn: a lighthouse, houses on the slope and a sailing boat coming in](picture:harbour)

*Twenty minutes out. The lighthouse, the houses behind it, and the first boat of the morning.*

## The first hour

Most foot passengers leave the quay at a fast walk, as if the ferry might change its mind. I let them go. Within ten minutes the cars have driven off, the ramp is up, and the place returns to its normal volume. That is the harbour the residents know.

Then I do three dull things, in this order:

1. Photograph the timetable on the wall. The printed one is often newer than the website.
2. Find drinking water.
3. Walk to the end of the mole and back.

> A harbour is best met twice: once from the water, and once from the end of its own wall.

The walk to the end is the one that matters.[^1] You see the town again from the water, this time standing still, and the map in your head turns the right way round.

## A note on missing the boat

Sooner or later you will miss one. Treat the last sailing as if it did not exist and plan around the one before it. If the wind gets up, the operator will cancel the evening crossing long before the noon one, and the person in the ticket hut will know hours ahead. Ask early, and ask kindly; they have the same conversation every day.

When it does happen, you have been given an evening in a small harbour. The lamps come on along the quay, somebody hoses down a deck, and nothing more is expected of you until morning.

[^1]: Not every wall may be walked on. Where a chain hangs across, the view is not worth the swim.
`,
    published: true,
  },
  {
    slug: "coffee-on-a-small-stove",
    cover: "stove",
    daysAgo: 41,
    locale: "en",
    tags: ["Camp kitchen"],
    authors: ["Jonas Pine"],
    title: "Coffee on a small stove",
    description: "A recipe for one good mug outdoors: no filter, no gadget, and a method that forgives cold fingers.",
    content: `I have carried a folding dripper, a hand press and a moka pot up various hills. All three made decent coffee at home and an annoying amount of washing-up outside. What stayed in the rucksack is a pot, a mug and a spoon.

## What you need

- 16 g of coffee, ground a little coarser than for a paper filter
- 240 ml of water, plus a splash of cold
- a small gas stove and a pot with a lid
- a mug you do not mind putting on wet grass

Weigh the coffee at home. I fold single portions into squares of baking paper, which pack flat and double as firelighters at the hut afterwards.

## The method

1. Put the stove where the wind is not. A wall, a boulder or the lee side of a boat shed saves more gas than any expensive burner.
2. Bring the water to the boil with the lid on, then turn the flame off and count slowly to thirty.
3. Tip in the coffee, stir five times, and put the lid back.
4. Wait four minutes. Look at something far away.
5. Stir the crust once so that it sinks, add the splash of cold water, and wait another minute.
6. Pour slowly and leave the last finger's width in the pot.

The waiting does the filtering. Wet grounds are heavier than water, and they will settle if you stop disturbing them. If you end up with grit between your teeth, you poured too soon.

## Adjusting it

| It tastes | Try next time |
| --- | --- |
| thin and sour | finer grind, or one more minute |
| bitter and dry | coarser grind, or a longer pause off the boil |
| fine, but cold | warm the mug with the first splash of hot water |

Change one thing at a time. Outdoors you also have wind, altitude and appetite in the equation, and any of them can take the blame.

## Leaving no trace

Grounds are not litter in the usual sense, but a little brown heap beside a spring is still somebody's little brown heap. Let them cool, wrap them in the baking paper and carry them to the next bin. And check the local rules before lighting anything: in a dry summer many coastal areas ban gas stoves too, and on those days a flask filled at breakfast is the right equipment.

The flask coffee will be worse. The view is the same.
`,
    published: true,
    workingCopy: { title: "Coffee on a very small stove" },
  },
  {
    slug: "walking-the-same-path-twice",
    cover: "path",
    daysAgo: 16,
    locale: "en",
    tags: ["Walking", "Slow travel"],
    authors: ["Maren Holt", "Jonas Pine"],
    title: "Walking the same path twice",
    description: "Out-and-back routes have a poor reputation. Here is what the return leg is good for.",
    content: `Guidebooks love a loop. A loop has a shape, it never repeats itself, and it ends conveniently at the car park. The plain out-and-back gets listed at the end of the chapter, under easy walks.

I have come to prefer it. A path walked in the other direction is a different path, and you arrive at it already knowing where the mud is.

## What changes on the way back

**The light.** If you left at nine and turn round at one, the sun has moved a long way across the sky. Cliffs that were a grey cut-out in the morning have layers in the afternoon.

**The gradient.** A climb you did with your head down becomes a descent with your head up. On the coast this matters most, because the view is usually behind you when you are breathing hardest.

**Your attention.** On the way out a good part of the mind is busy with navigation. Is that the stile? Was there supposed to be a stream? On the way back those questions have been answered, and there is room for birds.

## How to plan one

- Pick a turning point that is worth sitting at: a headland, a chapel, a harbour with a kiosk. "After eight kilometres" is not a destination.
- Decide on a turning *time* as well, and take whichever comes first.
- Walk towards the wind in the morning. Tired legs will be glad of a push home.
- Leave something for later on purpose. If there is a side track to a cove, take it on the return.

For the distance, a plain map is enough. I trace the route on [OpenStreetMap](https://www.openstreetmap.org/), note the length of one leg, and assume four kilometres an hour including stops. On sand or shingle I assume three.

## The same path in another year

The longer version of this idea is to come back. There is a stretch of about six kilometres between two fishing villages that I have now walked in four different Octobers. One year the footbridge was gone. Another year somebody had planted a row of apple trees along the field wall, and I have been watching them since.

They were knee-high at first. Last autumn one of them had three apples on it, all out of reach on the wrong side of the wall, which seemed about right.
`,
    published: true,
  },
  {
    slug: "keeping-a-walking-notebook",
    cover: "notebook",
    locale: "en",
    tags: ["Walking"],
    authors: ["Jonas Pine"],
    title: "Keeping a walking notebook",
    description: "Five lines a day are enough. A simple format for notes that still mean something ten years later.",
    content: `My early travel diaries are unreadable. They are full of opinions about sunsets and contain almost no information. I could not tell you from them where I slept, what the bread cost or whether my feet hurt.

The notebook I keep now is smaller and drier, and I open it far more often.

## Five lines

Every evening, before dinner if possible, I fill in the same five lines:

\`\`\`text
From / to      Old quay to the lighthouse hut, 14 km
Weather        NW 4, showers until 11, then clear
Ate            Rye bread, smoked mackerel, two plums
Met            Woman repairing nets, told me about the spring
Noticed        All the front doors face the hill
\`\`\`

It takes three minutes. The first four lines are easy because they only ask for facts. The fifth is the one I walk with all day, because I know I will have to put something in it.

## Why facts age well

Feelings about a place are easy to reconstruct later; give me the weather, the distance and the meal, and I can usually work out the mood. It does not work the other way round. "A magical day" could have been any day.

Facts are useful to other people, too. When a friend asks whether the coastal section is possible with a child, I can look up the hours rather than guess.

## Practical points

- **Pencil.** Ink runs, and pens stop working in the cold. A short carpenter's pencil cannot roll off a table on a moving boat.
- **One page per day, even for rest days.** The empty lines are information as well.
- **Leave the right-hand page free** for a ticket stub, a sketch of a junction, or the correct spelling of a name.
- **Write names down on the spot.** By evening every headland is called something with "Ness".

## What I leave out

I do not record step counts or average speed. The phone does that, and I have never once wanted to know. I also leave out plans. A notebook with tomorrow's itinerary in it becomes a list of things that went differently.

At the end of each trip I number the pages and write a one-line index on the inside cover. There are eleven of these notebooks on the shelf now. Together they take up less room than a single guidebook, and they cover only places where I know what the front doors do.
`,
    published: false,
    tomorrow: { time: "09:00", timeZone: "Europe/Lisbon" },
  },
];
