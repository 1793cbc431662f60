/**
 * Counts what the Markdown parser does, and stops it. How long a text keeps it busy cannot be told from the text: what a
 * construct costs depends on what stands before it. So it is not estimated; the parser's own steps are counted.
 */
import type { Data } from "unified";

/** Thrown out of the parser, which is useless from then on. */
export class OutOfSteps extends Error {
  /** Characters of the text that it had reached. */
  readonly reached: number;

  constructor(reached: number) {
    super("Parsing takes more steps than it may.");
    this.reached = reached;
  }
}

/** Counted down. */
export type Steps = { left: number };

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<Extension["text"]>;
type Construct = Exclude<Constructs[string], readonly unknown[] | undefined>;
type Context = ThisParameterType<Construct["tokenize"]>;
type Effects = Parameters<Construct["tokenize"]>[0];

/**
 * Costs, in steps. One step is to pass over an event of a text, as the parser calls the start or the end of a token. A
 * line end costs far more than another character: each tokenizer makes several tokens of it. Events of blocks are not
 * only passed over but copied, to close blocks. Those of a text with a bracket are passed over several times: closing
 * brackets, and words that could be addresses, look for one that is open.
 */
const CHARACTER = 8;
const LINE_END = 400;
const EVENT_OF_BLOCKS = 2;
const EVENT_AFTER_BRACKET = 8;
/** To look at what follows without consuming it, as an address does at each of its punctuation marks. */
const LOOK_AHEAD = 64;

/** To begin a tokenizer: each text has its own, such as that of a paragraph or of a cell of a table. */
const TOKENIZER = 1500;
/** What may be the edge of a cell. A table is taken apart anew once all of it was read: each cell makes ten tokens. */
const PIPE = 1500;

/** In codes of the parser, which has some of its own below zero: of line ends, tabs and what fills these up. */
const [FIRST_CODE, LAST_LINE_END, LAST_CODE] = [-5, -3, 127];
const [OPENING, CLOSING, BAR] = [91, 93, 124];

const costOf = (code: number | null): number => {
  if (code !== null && code <= LAST_LINE_END) return LINE_END;
  return code === BAR ? PIPE : CHARACTER;
};

/**
 * The parser consists of tokenizers: of the document (its containers), of the flow in each container (its blocks), of
 * the definitions before a paragraph and of each text. They take longer than in proportion where they read characters
 * again, or pass over the list of their events again: to find the start of a link, or to close blocks. They do that at
 * most a few times for each construct that they find. So each place where one may begin adds the length of that list.
 *
 * Returns an extension of the parser that counts down what is left of the steps of one text, and throws `OutOfSteps`.
 */
export function counter(steps: Steps): Extension {
  const watched = new WeakSet<Effects>();
  const spend = (spent: number, context: Context): void => {
    steps.left -= spent;
    if (steps.left < 0) throw new OutOfSteps(context.now().offset);
  };
  /** A construct that matches nothing. It is tried before all others, and so sees a tokenizer before it does work. */
  const watch = (event: number, eventAfterBracket: number): Constructs => {
    const bracketed = new WeakSet<Effects>();
    const construct: Construct = {
      add: "before",
      partial: true,
      // In a text, this keeps it from making a place one where something may begin.
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
