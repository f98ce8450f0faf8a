import { describe, expect, it } from '@jest/globals'
import { ReasoningSplitter, withoutReasoning } from '../../src/models/split-reasoning.ts'

/** Splits a text in deltas of a length. @returns what a reader of the answer, and of the reasoning, sees */
function split(text: string, length: number): { text: string; reasoning: string } {
  const splitter = new ReasoningSplitter()
  const seen = { text: '', reasoning: '' }
  const deltas = text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []
  for (const part of [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()])
    if (part.type === 'text-was-reasoning') Object.assign(seen, { text: '', reasoning: seen.reasoning + seen.text })
    else seen[part.type] += part.text
  return seen
}

describe.each([1, 3, 1_000])('reasoning in a text of deltas of %i characters', (length) => {
  it.each([
    ['<think>Hm</think>Yes', 'Yes', 'Hm'],
    ['<THINK>Hm</THINK>\n\nYes', 'Yes', 'Hm'],
    ['<thinking>Hm</thinking>Yes', 'Yes', 'Hm'],
    ['Before <think>Hm</think> after', 'Before after', 'Hm'],
    ['<think>a</think>b<think>c</think>d', 'bd', 'ac'],
    ['<think>a<think>b</think>c', 'c', 'a<think>b'],
    ['<think></think>Yes', 'Yes', ''],
    ['<think>never ended', '', 'never ended'],
    ['Hm, well\n</think>\nYes', 'Yes', 'Hm, well\n'],
    ['<thought>Hm</thought>Yes', 'Yes', 'Hm'],
    ['<reasoning>Hm</reasoning >\nYes', 'Yes', 'Hm'],
    ['[THINK]Hm[/THINK]Yes', 'Yes', 'Hm'],
    ['◁think▷Hm◁/think▷Yes', 'Yes', 'Hm'],
    ['<think>I write <reasoning>x</reasoning> tags.</think>Yes', 'Yes', 'I write <reasoning>x</reasoning> tags.'],
    ['<think>Plan: [THINK]a[/THINK] more</think>Yes', 'Yes', 'Plan: [THINK]a[/THINK] more'],
  ])('%j is split off', (text, answer, reasoning) => {
    expect(split(text, length)).toEqual({ text: answer, reasoning })
  })

  it.each([
    'a < b and <b>bold</b>',
    'The tag `<think>` begins it, `</think>` ends it',
    'Write </think> at the end',
    '<thin',
    '<result>\n<reasoning>Because A.</reasoning>\n<score>5</score>',
    '<result>\n<reasoning>\nBecause A.\n</reasoning>\n<score>5</score>',
    'See [THINK] and\n[/THINK].',
    `a <${' '.repeat(100)}b`,
    'Sites [A], [B] and [THIN',
  ])('%j is an answer as a whole', (text) => expect(split(text, length)).toEqual({ text, reasoning: '' }))

  it('is text when it does not end and follows a text', () => {
    expect(split('Use <think> to begin', length).text).toBe('Use <think> to begin')
  })
})

it('a text without its reasoning is the answer alone', () => {
  expect(withoutReasoning('<think>Hm</think>Summary')).toBe('Summary')
  expect(withoutReasoning('<think>cut by the limit of tokens')).toBe('')
})

it('a long space after an angle bracket is not held back', () => {
  const splitter = new ReasoningSplitter()
  const parts = ['a <', ...Array.from({ length: 20 }, () => ' ')].flatMap((delta) => splitter.push(delta))
  expect(parts.map(({ type }) => type)).toEqual(Array.from({ length: 13 }, () => 'text'))
})

it('half a surrogate pair at the end of a text is replaced', () => {
  expect(withoutReasoning('a\ud83d')).toBe('a\ufffd')
})
