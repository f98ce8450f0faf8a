import { expect, it } from '@jest/globals'
import { checkAnswer } from '../../src/evaluations/check-answer.ts'

const states = (fact: string, answer: string) => checkAnswer({ contains: [fact] }, answer)[0]?.passed

it.each([
  ['44', 'Berlin has 44 desks.', true],
  ['44', 'It has 44.', true],
  ['44', 'Floors 1,44 of them', false],
  ['44', 'Berlin has 144 desks.', false],
  ['44', 'On average 44.5 desks', false],
  ['44', '1.44 million', false],
  ['44', '144 on paper, but 44 in use', true],
  ['4.5', '14.5 hours', false],
  ['Ground  Floor', 'on the ground floor only', true],
  ['12 desks', 'Paris has 112 desks', false],
  ['desk 1', 'desk 12', false],
  ['€', 'EUR 5', false],
  ['', 'anything', true],
])('finds the fact %j in %j: %j', (fact, answer, found) => {
  expect(states(fact, answer)).toBe(found)
  expect(checkAnswer({ not_contains: [fact] }, answer)[0]?.passed).toBe(!found)
})
