import { phrases } from '../../language/phrases.ts'
import { formsOf, stemOf, wordsOfName } from '../../language/words.ts'
import type { Parts } from '../check-reading.ts'
import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { leads, spending } from '../grammar.ts'
import { columnOfQuestionWord } from '../order/question-words.ts'
import { takeExistence, takeLeft, takeValues } from './parse-values.ts'

/** Takes values, states and what is missing, with the words that say nothing more. */
export function takeConditions(
  draft: Draft,
  { measure, today, isYesNo }: Pick<Parts, 'measure' | 'today' | 'isYesNo'>,
): void {
  if (draft.left('X').length === 0) draft.take('(?:only|just|all|every|nur|alle|aller)(?= (?:V\\d+ )*[SV]\\d)')
  draft.take('(?:work|works|working|based|located|arbeiten|arbeitet)(?= (?:in|at|for|bei|im) V\\d)')
  draft.take(
    `(?:uses?|used|books?|booked|visits?|visited|bucht|buchte|nutzt|benutzt\\w*|nutzten)(?= (?:(?:${leads}) )*V\\d)`,
  )
  draft.take('(?:work|works|arbeiten|arbeitet)(?= B\\d)')
  draft.take('(?:took|take|taken) place|happened|stattgefunden')
  // `How many courses did Anna take`
  draft.take(
    '(?<=(?:did|does|do|has|have|hat|haben) (?:· )*V\\d+ )(?:submit|submitted|make|made|use|used|take|taken|eingereicht|genutzt)',
  )
  draft.take('(?<=we )(?:own|place|see|record)')
  draft.take(`(?:about|regarding|concerning|against|uber|gegen)(?= (?:(?:${leads}) )*V\\d)`)
  if (isYesNo) draft.take(`(?:anyone|anybody|someone|jemand|irgendjemand)(?= (?:(?:${leads}) )*V\\d)`)
  // `Per Funk` says the means, and `pro Funkgerät` divides.
  if (draft.say === phrases.de && draft.left('N').length === 0) draft.take('per(?= V\\d)')
  takeValues(draft, measure?.form === 'distinct' || draft.left('X').length > 0)
  takeLeft(draft, today.toISOString().slice(0, 10))
  takeExistence(draft)
  if (Object.values(draft.filters).some((value) => typeof value === 'object' && value.exists === false))
    draft.take('(?:to )?(?:anyone|anybody|someone|jemande?[mn]?)')
  // The state of a record is that of now, where it has one.
  if (Object.keys(draft.filters).length > 0)
    draft.take('(?:currently|right now|now|at the moment|derzeit|aktuell|momentan|gerade)')
}

/** Takes words of the source's name that say nothing more: `booked a desk` of desk bookings, `spent on training`. */
export function takeNameOfRecords(draft: Draft): void {
  const names = wordsOfName(draft.source.name).map(({ plain }) => plain)
  const object = '(?:books?|booked|reserved?|bucht|buchten?|gebucht) (?:(?:a|an|any|einen?) )?(X\\d+)'
  const tag = draft.find(object)?.[1]
  if (tag !== undefined && formsOf(draft.tag(tag).text, 'en').some((form) => names.includes(form))) draft.take(object)
  if (draft.find(spending) !== undefined) draft.take(`(?:on|for|fur) (?:${names.join('|')})`)
  // `How much revenue do we make`
  draft.take('(?<=(?:how much|wie viel) N\\d+ (?:(?:do|did|we) )*)(?:make|made|earn|machen|macht|machten)')
}

/** Takes the columns that are asked for: `who is responsible`, `which vendor`, `when does it end`. */
export function takeSelected(draft: Draft): string[] {
  const named = draft.left('XN').length > 0 ? undefined : columnOfQuestionWord(draft)
  if (named !== undefined) {
    // `Who borrowed it` asks for the borrower, and `borrowed` says nothing more.
    const verb = draft
      .left('D')
      .find((name) => stemOf(draft.tag(name).text) === stemOf(coreOf(named).core[0]?.plain ?? ''))
    if (verb !== undefined) draft.take(verb)
    return [named]
  }
  const tags = draft.left('XND')
  for (const name of tags) draft.take(name)
  if (tags.length === 0 && draft.find('when|wann') !== undefined) return [draft.takeTime()]
  return [...new Set(tags.map((name) => draft.field(name)))]
}
