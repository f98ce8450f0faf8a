import type { CompanyOptions } from '../options.ts'

/** Spaces, teams and people are numbers: indexes into the lists of the company. Days are counted from its first day. */
export interface Space {
  /** The identifier in the list of spaces, such as `BER-A-03`. */
  id: string
  name: string
  kind: 'site' | 'building' | 'floor' | 'zone' | 'room'
  /** A smaller index, or −1 for a site. */
  parent: number
  capacity: number
  areaM2: number
  /** In whole units of the currency of the site, so that both add up without rounding. Zero but on floors. */
  annualRent: number
  annualServices: number
  /** The share of rent and services that ends when the space is closed, in percent. */
  avoidablePercent: number
  /** The settings of a site, which all spaces below have too. */
  site?: Site
}

export interface Site {
  country: string
  subdivision: string
  timezone: string
  currency: string
  /** Local minutes of the day, Monday to Friday. Closed at weekends. */
  opens: number
  closes: number
  /** Month and day of the first and last day of the school holidays in summer, such as `07-24`. */
  schoolHolidays: readonly [first: string, last: string]
}

/** A badge reader. Its swipes are presence in one space. */
export interface Reader {
  /** As the access system spells it. */
  name: string
  space: number
}

export interface Team {
  id: string
  name: string
  /** As the directory spells it. */
  unit: string
  /** A smaller index, or −1. */
  parent: number
  /** A floor or a zone; −1 for a team of teams. */
  home: number
  near: readonly number[]
  fixed: readonly number[]
  excluded: readonly number[]
  /** The mean share of members who come on an ordinary day, times the factor of the weekday, Monday first. */
  rate: number
  weekdays: readonly number[]
}

/** A person belongs to a team from one day until the day before another. */
export interface Membership {
  person: number
  team: number
  /** May be before the first day of the company, thus negative. */
  from: number
  /** The first day that is no longer included. Undefined: still a member. */
  until: number | undefined
}

/** A defect of a device during whole days. `until` is the first day that is no longer included. */
export interface Fault {
  space: number
  from: number
  until: number
}

/** The parts of a company that presence and truth are about. */
export interface Organization {
  /** The first day, in days since 1970-01-01. */
  firstDay: number
  days: number
  people: number
  /** Parents before their children. */
  spaces: readonly Space[]
  /** Parents before their children. */
  teams: readonly Team[]
  /** In the order of people, then days. */
  memberships: readonly Membership[]
}

export interface Company extends Organization {
  options: Readonly<Required<CompanyOptions>>
  readers: readonly Reader[]
  /** For each space, the public holidays of its site. */
  holidays: readonly ReadonlySet<number>[]
  /** For each person: the inclination to come, from 0 to 255, and the usual minute of arrival. */
  inclination: Uint8Array
  arrival: Uint16Array
  /** The first day of the new organization, and the team that was split into itself and another. */
  reorganization: { day: number; split: number; created: number } | undefined
  /** The floor whose badge reader records nothing. */
  brokenReader: Fault | undefined
  doorCounter: number
  camera: number
  brokenCamera: Fault | undefined
  /** The room whose calendar is exported. */
  calendarRoom: number
}
