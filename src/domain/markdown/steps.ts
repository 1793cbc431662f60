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

/**
 * Costs, in steps. Passing over one event is one step; the parser calls the start or the end of a token an event. A
 * line end costs far more than another character, because each tokenizer makes several tokens of it. Events of blocks
 * cost more, because closing a block also copies them. Events of a text with a bracket cost more, because closing
 * brackets and words that could be URLs search them several times for an open bracket.
 */
const CHARACTER = 8;
const LINE_END = 400;
const EVENT_OF_BLOCKS = 2;
const EVENT_AFTER_BRACKET = 8;
/** The cost of looking ahead without consuming. A URL does that at each of its punctuation marks. */
const LOOK_AHEAD = 64;

/** The cost of starting a tokenizer. Each text, such as a paragraph or a table cell, has its own. */
const TOKENIZER = 1500;
/** The cost of a `|`, which may be the edge of a cell. After a table is read, each cell is split into ten tokens. */
const PIPE = 1500;

/** Character codes of the parser. Its own codes are below zero: line ends, tabs, and the spaces that fill up a tab. */
const [FIRST_CODE, LAST_LINE_END, LAST_CODE] = [-5, -3, 127];
const [OPENING, CLOSING, BAR] = [91, 93, 124];

const costOf = (code: number | null): number => {
  if (code !== null && code <= LAST_LINE_END) return LINE_END;
  return code === BAR ? PIPE : CHARACTER;
};

/**
 * Returns a parser extension that counts down the steps of one text. It throws `OutOfSteps` when they are used up.
 *
 * The parser consists of tokenizers: one for the document (its containers), one for the flow in each container (its
 * blocks), one for the definitions before a paragraph, and one for each text. Their time grows faster than the text if
 * they read characters again, or search the list of their events again: to find the start of a link, or to close
 * blocks. They do that at most a few times for each construct. So each place where a construct may begin costs the
 * length of that list.
 */
export function counter(steps: Steps): Extension {
  const watched = new WeakSet<Effects>();
  const spend = (spent: number, context: Context): void => {
    steps.left -= spent;
    if (steps.left < 0) throw new OutOfSteps(context.now().offset);
  };
  /** Returns a construct that matches nothing. The parser tries it first, so it sees each tokenizer before it works. */
  const watch = (event: number, eventAfterBracket: number): Constructs => {
    const bracketed = new WeakSet<Effects>();
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
        spend(this.events.length * (bracketed.has(effects) ? eventAfterBracket : event), this);
        return (code) => {
          if (code === OPENING || code === CLOSING) bracketed.add(effects);
          return nok(code);
        };
      },
    };
    const constructs: Constructs = { null: construct };
    for (let code = FIRST_CODE; code <= LAST_CODE; code++) constructs[code] = construct;
    return constructs;
  };
  const blocks = watch(EVENT_OF_BLOCKS, EVENT_OF_BLOCKS);
  return { document: blocks, flow: blocks, contentInitial: blocks, text: watch(1, EVENT_AFTER_BRACKET) };
}
