// SPDX-License-Identifier: Apache-2.0
import { emptyWidthBetween, isWord, lineFeed, op, textBoundary, type Program } from './program.ts';
import type { WorkMeter } from './regex.ts';

/** The most instructions and transitions of all cached states; beyond that the cache is reset. */
const capacity = 20_000;

/** What a cached transition costs: about 10 ns. */
const stepWork = 0.1;

/** The cost of a new state, and of each instruction in it. */
const stateWork = 5;
const threadWork = 0.5;

/** The threads after a character, before empty-width instructions are followed, which depends on the next character. */
interface State {
  /** The instructions of the threads. */
  readonly places: Uint16Array;
  /** A representative of the previous character, which assertions cannot distinguish from it. */
  readonly before: number;
  /** By ASCII character: most texts have no others. */
  readonly ascii: (State | undefined)[];
  /** By other characters, and the end of the text. */
  readonly others: Map<number, State>;
}

/** What the transitions of a state count, at least, of the capacity. */
const tableSize = 16;

/** A lazily built DFA: matching costs one lookup per character once its states exist. */
export class Automaton {
  readonly #program: Program;
  readonly #accepted = newState(new Uint16Array(), textBoundary);
  readonly #rejected = newState(new Uint16Array(), textBoundary);
  readonly #states = new Map<string, State>();
  readonly #reached: InstructionSet;
  readonly #next: InstructionSet;
  #initial: State;
  #size = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#reached = new InstructionSet(program.instructions.length);
    this.#next = new InstructionSet(program.instructions.length);
    this.#initial = newState(Uint16Array.of(program.start), textBoundary);
  }

  /** Whether the program matches anywhere in the text. */
  test(text: string, meter: WorkMeter): boolean {
    let state = this.#initial;
    let steps = 1;
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      const character = unit < 128 ? unit : (text.codePointAt(at) as number);
      const known = unit < 128 ? state.ascii[unit] : state.others.get(character);
      state = known ?? this.#follow(state, character, meter);
      if (state === this.#accepted || state === this.#rejected) break;
      at += character > 0xff_ff ? 2 : 1;
      steps += 1;
      if (steps === 1000) {
        meter.work(steps * stepWork);
        steps = 0;
      }
    }
    meter.work(steps * stepWork);
    if (state === this.#rejected) return false;
    if (state === this.#accepted) return true;
    return (state.others.get(textBoundary) ?? this.#follow(state, textBoundary, meter)) === this.#accepted;
  }

  /** The state after a character, or after the end of the text. */
  #follow(state: State, character: number, meter: WorkMeter): State {
    const isMatch = this.#reach(state, character);
    meter.work(this.#reached.length * threadWork + stateWork);
    const target = isMatch ? this.#accepted : this.#consume(character);
    this.#size += 1;
    if (character >= 0 && character < 128) state.ascii[character] = target;
    else state.others.set(character, target);
    return target;
  }

  /**
   * Collects all instructions reachable without consuming text, given the next character; returns whether one is a
   * match.
   */
  #reach({ places, before }: State, after: number): boolean {
    const { instructions } = this.#program;
    const holds = emptyWidthBetween(before, after);
    const reached = this.#reached;
    reached.clear();
    for (const place of places) reached.add(place);
    for (let index = 0; index < reached.length; index += 1) {
      const instruction = instructions[reached.at(index)];
      if (instruction === undefined) continue;
      const { op: does, out, arg } = instruction;
      if (does === op.match) return true;
      if (does === op.alternative || does === op.alternativeMatch) {
        reached.add(out);
        reached.add(arg);
      } else if (does === op.capture || does === op.nothing || (does === op.emptyWidth && (arg & ~holds) === 0)) {
        reached.add(out);
      }
    }
    return false;
  }

  /** The state of the threads that accept the character. */
  #consume(character: number): State {
    if (character === textBoundary) return this.#rejected;
    const { instructions, start, isAnchored } = this.#program;
    const reached = this.#reached;
    const next = this.#next;
    next.clear();
    for (let index = 0; index < reached.length; index += 1) {
      const instruction = instructions[reached.at(index)];
      if (instruction === undefined || instruction.op <= op.nothing) continue;
      if (instruction.matchRune(character)) next.add(instruction.out);
    }
    if (!isAnchored) next.add(start);
    return next.length === 0 ? this.#rejected : this.#state(next.copy(), contextOf(character));
  }

  /** The cached state with these threads. */
  #state(places: Uint16Array, before: number): State {
    const key = `${before} ${Buffer.from(places.buffer, 0, places.byteLength).toString('latin1')}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = newState(places, before);
    this.#size += places.length + tableSize;
    if (this.#size > capacity) this.#forget();
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    this.#states.clear();
    this.#size = 0;
    // Old states are referenced only by the running match.
    this.#initial = newState(this.#initial.places, textBoundary);
  }
}

function newState(places: Uint16Array, before: number): State {
  return { places, before, ascii: Array.from({ length: 128 }), others: new Map() };
}

/** Instructions, each once, in the order in which they were added. */
class InstructionSet {
  readonly #list: Uint16Array;
  /** In which round an instruction was last added. */
  readonly #added: Float64Array;
  #round = 1;
  length = 0;

  constructor(size: number) {
    this.#list = new Uint16Array(size);
    this.#added = new Float64Array(size);
  }

  clear(): void {
    this.#round += 1;
    this.length = 0;
  }

  add(place: number): void {
    if (this.#added[place] === this.#round) return;
    this.#added[place] = this.#round;
    this.#list[this.length] = place;
    this.length += 1;
  }

  at(index: number): number {
    return this.#list[index] as number;
  }

  copy(): Uint16Array {
    return this.#list.slice(0, this.length);
  }
}

/** A representative character that assertions cannot distinguish from this one. */
function contextOf(character: number): number {
  if (character === lineFeed) return lineFeed;
  return isWord(character) ? letter : other;
}

const letter = 97;
const other = 32;
