import { dateOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'
import { employeeNumber, formatMinute, personName } from './spellings.ts'
import { csvRow } from './text-file.ts'

/** Yields `spaces.csv`: money in whole units of the currency; the settings of a site stand in its row alone. */
export function* listSpaces({ spaces }: Company): Generator<string> {
  yield csvRow([
    ...[
      'Space ID',
      'Name',
      'Kind',
      'Parent ID',
      'Capacity',
      'Area m2',
      'Annual rent',
      'Annual services',
      'Annual cost',
    ],
    ...['Currency', 'Avoidable share', 'Country', 'Subdivision', 'Time zone', 'Opening hours'],
  ])
  for (const {
    id,
    name,
    kind,
    parent,
    capacity,
    areaM2,
    annualRent,
    annualServices,
    avoidablePercent,
    site,
  } of spaces) {
    const hasCost = annualRent > 0
    yield csvRow([
      ...[id, name, kind, spaces[parent]?.id ?? null, capacity || null, areaM2 || null],
      ...(hasCost ? [annualRent, annualServices, annualRent + annualServices] : [null, null, null]),
      ...[site?.currency ?? null, hasCost ? avoidablePercent / 100 : null],
      ...[site?.country ?? null, site?.subdivision ?? null, site?.timezone ?? null],
      site === undefined ? null : `Mo-Fr ${formatMinute(site.opens)}-${formatMinute(site.closes)}`,
    ])
  }
}

/** Yields `teams.csv`; lists of teams and spaces are separated by spaces. */
export function* listTeams({ teams, spaces }: Company): Generator<string> {
  yield csvRow(['Team ID', 'Name', 'Parent ID', 'Home space', 'Near', 'Fixed spaces', 'Excluded spaces'])
  const idsOf = (list: readonly { id: string }[], indexes: readonly number[]) =>
    indexes.map((index) => list[index]?.id ?? '').join(' ')
  for (const { id, name, parent, home, near, fixed, excluded } of teams)
    yield csvRow([
      ...[id, name, teams[parent]?.id ?? null, spaces[home]?.id ?? null],
      ...[idsOf(teams, near), idsOf(spaces, fixed), idsOf(spaces, excluded)],
    ])
}

/** Yields `directory.csv`: a row for each membership; `Until` is the first day that is no longer included. */
export function* listPeople(company: Company): Generator<string> {
  yield csvRow(['Employee', 'Display name', 'Unit', 'From', 'Until'])
  for (const { person, team, from, until } of company.memberships)
    yield csvRow([
      ...[employeeNumber(person), personName(person), company.teams[team]?.unit ?? ''],
      ...[dateOf(company, from), until === undefined ? null : dateOf(company, until)],
    ])
}
