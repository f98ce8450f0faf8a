import { createWordComparison } from '../../language/vocabulary.ts'
import { wordsOfName } from '../../language/words.ts'
import type { KnownSource } from '../../tool-results.ts'
import { headcounts, isNameOfRecords, peopleColumns, peopleWords, personNouns } from '../column-roles.ts'
import type { Draft } from '../draft.ts'
import { expensive, leads, sold, spending } from '../grammar.ts'
import { isMoney, isQuantity, minutesOfColumn } from '../quantities.ts'
import { Refusal } from '../query.ts'

const person =
  /organi[sz]|host|gastgeber|reporter|melder|besteller|requester|owner|contact|manager|responsible|assignee|person|author|borrower|employee|employé|salarié|emplead|driver|fahrer|participant|teilnehm|booked_by|mitarbeiter|nutzer|user|verantwortlich/i
const place = /location|building|address|place|city|room|branch|floor|standort|raum|stadt|filiale/i

/** Takes the number that ranks: the one after the superlative, or after `by`. */
export function rankingColumn(draft: Draft, target: string | undefined): string | undefined {
  // `The most expensive rate`, of a column of money
  const priced = draft.find(`SUP (?:${expensive}) (N\\d+)`)?.[1]
  if (priced !== undefined && isMoney(draft.field(priced))) draft.take(`(?<=SUP )(?:${expensive})`)
  const tag =
    draft.find(String.raw`(?:by|nach) (?:the )?([ND]\d+)`)?.[1] ??
    draft.find(
      String.raw`SUP (?:(?:average|mean|total|number|count|amount|of|·|V\d+(?= N)|durchschnitt\w*|anzahl|an) )*([ND]\d+)`,
    )?.[1]
  // `At which hour is the temperature highest`
  const before = draft.find(String.raw`([ND]\d+) (?:(?:·|V\d+|is|was|are|ist|war|sind|${leads}) )*SUP(?! [NDX]\d)`)?.[1]
  if (
    tag === undefined &&
    before !== undefined &&
    before !== target &&
    (target !== undefined || draft.find('who|wer') !== undefined)
  ) {
    draft.take(before)
    return draft.field(before)
  }
  if (tag === undefined || tag === target) return undefined
  draft.take(`(?:(?:by|nach) (?:the )?)?${tag}`)
  return draft.field(tag)
}

/** Returns the column of the people of a source without numbers, by which the biggest team is told. */
export function surestNames(draft: Draft): string | undefined {
  const [field, other] = peopleColumns(draft.source)
  return draft.fieldsOfType('number').length === 0 && other === undefined ? field : undefined
}

/** Takes `people` in `the most people`, where a column has their names. */
export function takeNames(draft: Draft, target: string): string | undefined {
  const [, tag] = draft.find(String.raw`SUP (?:(?:different|verschiedene\w*) )?(X\d+)`) ?? []
  if (tag === undefined || tag === target || !peopleWords.test(draft.tag(tag).text.toLowerCase())) return undefined
  draft.take(String.raw`(?<=SUP )(?:(?:different|verschiedene\w*) )?${tag}`)
  return draft.field(tag)
}

/** Returns the column that counts people, if there is one; records are counted otherwise. */
export function headcountOf(draft: Draft): string | undefined {
  const fields = headcounts(draft.source)
  if (fields.length > 1) throw draft.ambiguous(draft.say.number, fields)
  for (const name of draft.left('N')) if (draft.field(name) === fields[0]) draft.take(name)
  return fields[0]
}

/** Returns true for `sold most` and `most popular`, where each record may stand for several things. */
export const isOfSales = (draft: Draft, word: string): boolean =>
  draft.fieldsOfType('number').some(isQuantity) &&
  (/popular|beliebt/.test(word) ||
    draft.find(sold) !== undefined ||
    draft.left('S').some((name) => new RegExp(`^(?:${sold})$`, 'i').test(draft.tag(name).text)))

/** Returns the only column of quantities. */
export function quantityOf(draft: Draft): string | undefined {
  const fields = draft.fieldsOfType('number').filter(isQuantity)
  if (fields.length > 1) throw draft.ambiguous(draft.say.number, fields)
  draft.take(sold)
  return fields[0]
}

/**
 * Returns the only column of money, for `most expensive` and `spent the most`: beside a price, a total may be meant.
 */
export function moneyOf(draft: Draft, word: string): string | undefined {
  const numbers = draft.fieldsOfType('number')
  const [field, other] = numbers.filter(isMoney)
  const isOnlyTotal = (name: string) => /^(?:(?:grand )?total|gesamt|summe|gesamtsumme)$/i.test(name)
  if (field === undefined || other !== undefined || numbers.some(isOnlyTotal)) return undefined
  const isOfCosts = areCosts(draft) && word !== 'fewest' && draft.find('SUP S\\d+') !== undefined
  const isOfMoney = draft.take(`(?<=SUP )(?:${expensive})|(?:${spending})(?= (?:· )*SUP)`) !== undefined
  return isOfMoney || isOfCosts ? field : undefined
}

/** Returns true for records that are costs, as in `travel costs in March`. */
export const areCosts = (draft: Draft): boolean =>
  draft.left('S').some((name) => /(?:\b(?:costs?|expenses|ausgaben)|kosten)$/i.test(draft.tag(name).text))

/** Returns the only column of durations, for `longest`. */
export function durationOf(draft: Draft, word: string): string | undefined {
  if (!/^(?:longest|shortest|langste|kurzeste)/.test(word)) return undefined
  const isDuration = (field: string) => minutesOfColumn(field) !== undefined || /duration|dauer/i.test(field)
  const [field, other] = draft.fieldsOfType('number').filter(isDuration)
  return other === undefined ? field : undefined
}

/** Returns true if `who` asks for a column that is not among the named ones: `who has a broken device`. */
export const asksOtherPerson = (draft: Draft, named: readonly string[]): boolean =>
  draft.find('who|whom|whose|wer|wem|wen|wessen') !== undefined &&
  !named.some(
    (field) =>
      person.test(field) ||
      personNouns.test(field) ||
      peopleColumns(draft.source).includes(field) ||
      /name$|(?<!floo|doo|numb|ord|tow)[eo]r$/i.test(field),
  )

/** Returns the only column of persons or places, for `who` and `where`. */
export function columnOfQuestionWord(draft: Draft): string | undefined {
  const [word] = draft.find('who|whom|whose|wer|wem|wen|where|wo') ?? []
  if (word === undefined) return undefined
  const pattern = /^w(?:here|o)$/.test(word) ? place : person
  const fields = draft.source.fields
    .filter(({ name, type }) => type === 'string' && pattern.test(name))
    .map(({ name }) => name)
  const unused = [word, ...draft.unusedWords()]
  if (fields.length === 0 && !/^w(?:here|o)$/.test(word)) fields.push(...namesOfPeople(draft.source))
  // The persons of a directory are its records: `employee`, not `manager`.
  const isSameWord = createWordComparison('en')
  const isRecord = (field: string) => wordsOfName(draft.source.name).some(({ plain }) => isSameWord(plain, field))
  const [field, other] = fields.filter(isRecord).length === 1 ? fields.filter(isRecord) : fields
  if (field === undefined) throw new Refusal(draft.say.unknown(unused), unused.length)
  if (other !== undefined) throw draft.ambiguous(word, fields)
  return field
}

/** Returns the column that names the people of a directory or of a log of visits. */
const namesOfPeople = ({ fields, name: source }: KnownSource): string[] =>
  !personNouns.test(source)
    ? []
    : fields
        .filter(
          ({ name, type }) =>
            type === 'string' && (/^(?:full |voller )?name$/i.test(name) || isNameOfRecords(name, source)),
        )
        .map(({ name }) => name)
