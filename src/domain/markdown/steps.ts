/**
 * Counts the steps of the Markdown parser and stops it when they are used up. Nobody can tell from a text how long its
 * parsing takes: the cost of a construct depends on the text before it. So the parser's own steps are counted.
 */
import type { Data } from "unified";

/** Thrown from inside the parser when the steps are used up. The parser cannot be used after that. */
export class OutOfSteps extends Error {
  /** The number of characters that the parser had read. */
  readonly reached: number;

  constructor(reached: number) {
    super("Parsing takes more steps than it may.");
    this.reached = reached;
  }
}

/** The steps that a text may still take. The counter changes `left`. */
export type Steps = { left: number };

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<Extension["text"]>;
type Construct = Exclude<Constructs[string], readonly unknown[] | undefined>;
type Context = ThisParameterType<Construct["tokenize"]>;
type Effects = Parameters<Construct["tokenize"]>[0];
type Token = Context["events"][number][1];

/**
 * Costs, in steps. Passing over one event is one step; the parser calls the start or the end of a token an event. A
 * line end costs far more than another character, because each tokenizer makes several tokens of it. Events that are
 * searched for an open bracket cost more, because this is done several times at each place, and events that are copied,
 * because of the memory.
 */
const CHARACTER = 8;
const LINE_END = 400;
const SEARCHED_EVENT = 8;
const COPIED_EVENT = 3;
/** Neighbouring pieces of text become one once the text is read, each time moving all events behind them. */
const MOVED_EVENT = 1 / 8;
/** The cost of looking ahead without consuming. A URL does that at each of its punctuation marks. */
const LOOK_AHEAD = 64;

/** The cost of starting a tokenizer. Each text, such as a paragraph or a table cell, has its own. */
const TOKENIZER = 1500;
/** The cost of a place where a construct may begin, such as a word or a line. */
const PLACE = 150;
/** Further costs: of a mark in a text, such as a `*`, of the end of a link, and of the start of a quote, item or heading. */
const MARK = 1000;
const LINK = 2500;
const CONTAINER = 1500;
const HEADING = 2500;
/** The cost of a `|`, which may be the edge of a cell. After a table is read, each cell is split into ten tokens. */
const PIPE = 700;

/** Character codes of the parser. Its own codes are below zero: line ends, tabs, and the spaces that fill up a tab. */
const [FIRST_CODE, LAST_LINE_END, LAST_CODE] = [-5, -3, 127];
const codesOf = (characters: string): ReadonlySet<number | null> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));
const [HASH, CLOSING, BAR] = [35, 93, 124];
const CONTAINERS = codesOf(">*+-[0123456789");
const UNDERLINES = codesOf("=-");
const EMPHASIS = codesOf("*_~");
const MARKS = codesOf("!&<[\\`");

const costOf = (code: number | null): number => {
  if (code !== null && code <= LAST_LINE_END) return LINE_END;
  return code === BAR ? PIPE : CHARACTER;
};

/**
 * Returns a parser extension that counts down the steps of one text. It throws `OutOfSteps` when they are used up.
 *
 * The parser consists of tokenizers: one for the document (its containers), one for the flow in each container (its
 * blocks), one for the definitions before a paragraph, and one for each text. Their time grows faster than the text
 * where they read characters again, or go through the list of their events. So each character counts each time that it
 * is read, and what the parser does with the list is charged at the place that may cause it.
 */
export function counter(steps: Steps): Extension {
  const watched = new WeakSet<Effects>();
  const spend = (spent: number, context: Context): void => {
    steps.left -= spent;
    if (steps.left < 0) throw new OutOfSteps(context.now().offset);
  };
  /**
   * Returns a construct that matches nothing. The parser tries it first, so it sees each tokenizer before it works, and
   * each place where a construct may begin. `costAt` returns what the character there costs.
   */
  const watch = (costAt: CostAt): Constructs => {
    const construct: Construct = {
      add: "before",
      partial: true,
      // Without this, every place in a text would count as one where a construct may begin.
      previous: () => false,
      tokenize(effects, _ok, nok) {
        if (!watched.has(effects)) {
          watched.add(effects);
          spend(TOKENIZER, this);
          const { check, consume } = effects;
          effects.check = (...asked) => {
            spend(LOOK_AHEAD, this);
            return check(...asked);
          };
          effects.consume = (code) => {
            spend(costOf(code), this);
            consume(code);
          };
        }
        return (code) => {
          spend(PLACE + costAt(code, this), this);
          return nok(code);
        };
      },
    };
    const constructs: Constructs = { null: construct };
    for (let code = FIRST_CODE; code <= LAST_CODE; code++) constructs[code] = construct;
    return constructs;
  };
  return {
    document: watch(containersCost()),
    flow: watch(blockCost),
    contentInitial: watch(() => 0),
    text: watch(textCost()),
  };
}

type CostAt = (code: number | null, context: Context) => number;

/** The cost of a place in the document. Once there are containers, their ends copy the events of the document. */
function containersCost(): CostAt {
  let has = false;
  return (code, { events }) => {
    const isContainer = CONTAINERS.has(code);
    has ||= isContainer;
    return (isContainer ? CONTAINER : 0) + (has ? events.length : 0);
  };
}

/** The cost of a block. An underline copies all events, to make a heading; a lazy line goes through them. */
const blockCost: CostAt = (code, context) => {
  const { length } = context.events;
  if (code === HASH) return HEADING;
  if (UNDERLINES.has(code)) return length * COPIED_EVENT;
  return context.parser.lazy[context.now().line] === true ? length : 0;
};

/** The cost of a place in a text. A mark of emphasis may be compared with all before it, once the text is read. */
function textCost(): CostAt {
  const searched = new WeakSet<Token>();
  const searchCost = (code: number | null, events: Context["events"]): number => {
    if (EMPHASIS.has(code)) return MARK + events.length;
    // A closing bracket looks for the open one itself, whatever was found before.
    if (code === CLOSING) return LINK + passedOver(events) * SEARCHED_EVENT;
    return (MARKS.has(code) ? MARK : 0) + passedOver(events, searched) * SEARCHED_EVENT;
  };
  return (code, { events }) => searchCost(code, events) + Math.ceil(events.length * MOVED_EVENT);
}

/**
 * Returns how many events the parser passes over when it looks for an open bracket, as it does before a word that could
 * be a URL. Like the parser, remembers the last event of a search that found none, in `searched`: others end there.
 */
function passedOver(events: Context["events"], searched?: WeakSet<Token>): number {
  let passed = 0;
  for (let index = events.length - 1; index >= 0; index--) {
    passed++;
    const token = events[index]?.[1];
    if (token === undefined || searched?.has(token)) break;
    const isBracket = token.type === "labelLink" || token.type === "labelImage";
    if (isBracket && token._balanced !== true) return passed;
  }
  const last = events.at(-1)?.[1];
  if (last !== undefined) searched?.add(last);
  return passed;
}
