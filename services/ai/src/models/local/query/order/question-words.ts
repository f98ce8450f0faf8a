import { createWordComparison } from '../../language/vocabulary.ts'
import { wordsOfName } from '../../language/words.ts'
import type { KnownSource } from '../../tool-results.ts'
import { isNameOfRecords, personNouns } from '../column-roles.ts'
import type { Draft } from '../draft.ts'
import { Refusal } from '../query.ts'

const person =
  /owner|contact|manager|responsible|assignee|person|author|borrower|employee|employé|salarié|emplead|driver|fahrer|participant|teilnehm|booked_by|mitarbeiter|verantwortlich/i
const place = /location|building|address|place|city|room|branch|floor|standort|raum|stadt|filiale/i

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
