import { isSpaceKind, wordsOf } from '@wp/tabular'
import type { ColumnPlan } from '../columns/column-plan.ts'

// Words without accents, as `wordsOf` returns them, in English, German, French and Spanish.

/** Words that are about a person wherever they are in a name. */
const personal = words(
  'surname firstname lastname fullname forename username login upn email mail phone telephone mobile ssn birthday',
  'birthdate dob cardholder cardnumber badge badgeid employee employeeid userid uid visitorname guestname',
  'organizer organiser attendee vorname nachname familienname benutzername karteninhaber kartennummer ausweis',
  'ausweisnummer ausweisnr mitarbeiter mitarbeiterin mitarbeitername mitarbeiternummer mitarbeiternr',
  'personalnummer personalnr persnr telefon telefonnummer handy mobil mobilnummer geburtsdatum geburtstag kurzel',
  'kuerzel inhaber veranstalter teilnehmer prenom titulaire employe salarie matricule utilisateur identifiant',
  'courriel naissance porteur organisateur participant apellido apellidos empleado empleada trabajador trabajadora',
  'colaborador colaboradora usuario correo telefono nacimiento titular matricula legajo dni credencial credential',
  'credentials pin badgenumber badgeno badgenr badgenummer cardno cardid employeeno employeenumber empid empno',
  'staffid staffno personid personnelnumber kartennr pernr dienstausweis',
)
/** Words of a person that also count persons: a column of numbers is one of counts. */
const person = words(
  'user person people staff member visitor guest host personnel individual contact benutzer nutzer personal',
  'besucher gast kontakt ansprechpartner visiteur invite personne agent collaborateur collaboratrice membre worker',
  'persona personas visitante invitado',
)
/** Words of what a person has, which are about them with a word of a number or holder. */
const card = words(
  'card karte karten carte tarjeta pass token transponder chip fob rfid keycard payroll emp pers ma nomina',
)
const number = words('id nr no n num number nummer numero code codigo key holder owner name nom nombre uid')
/** Words of the parts of a person's name. */
const namePart = words('first last full given family middle maiden famille complet completo')
/** A column with this name alone has names; in others, as `Room name`, it is that of something else. */
const name = words('name nom names noms nombre nombres')

/** Workbooks of hours have a sheet for each employee: `Ada Lovelace`, `Lovelace, Ada`. */
const fullName = /^\p{Lu}[\p{L}'-]+,? \p{Lu}[\p{L}'-]+$/u

const mailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Returns true if a column seems to be about persons, by its name or because its values are addresses of mail. */
export function isPersonal({ name: column, type, evidence }: ColumnPlan): boolean {
  if (evidence.examples.length > 0 && evidence.examples.every((text) => mailAddress.test(text))) return true
  if (type === 'boolean') return false
  const arePeople = evidence.examples.length > 0 && evidence.examples.every((text) => fullName.test(text))
  if (/^Sheet(?:_\d+)?$/.test(column)) return arePeople && !evidence.examples.some(isSpaceKind)
  const parts = wordsOf(column)
  const has = (some: ReadonlySet<string>) => parts.some((word) => some.has(word))
  if (has(personal) || (has(card) && has(number)) || (has(namePart) && has(name))) return true
  if (has(person)) return type !== 'number' || has(number)
  return type === 'string' && parts.length > 0 && parts.every((word) => name.has(word))
}

function words(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')))
}
