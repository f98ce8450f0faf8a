/** The truth about a made company, as `writeCompany` writes it in `expected.json`; the parts that readers compare. */
export interface CompanyTruth {
  days: string[]
  spaceMap: { badges: Record<string, string>; bookings: Record<string, string>; counts: Record<string, string> }
  teamMap: Record<string, string>
  brokenReader?: { space_id: string; from: string; until: string }
  spaces: {
    id: string
    opens: number
    closes: number
    attendance: number[]
    peak: (number | null)[]
    personMinutes: (number | null)[]
  }[]
  teams: { id: string; attendance: number[]; headcount: number[] }[]
  measured: {
    spaces: { space_id: string; day: number; attendance: number; peak: number; personMinutes: number }[]
    teams: { team_id: string; day: number; attendance: number }[]
  }
  noShows: { booked: number; noShows: number; share: number }
}

/** Returns what the readers of a space recorded on a day: the truth, but for days on which a reader was broken. */
export function recordedOf(truth: CompanyTruth, spaceId: string, date: string) {
  const day = truth.days.indexOf(date)
  const space = truth.spaces.find(({ id }) => id === spaceId)
  const own = truth.measured.spaces.find((measured) => measured.space_id === spaceId && measured.day === day)
  const minutes = own?.personMinutes ?? space?.personMinutes[day] ?? null
  return {
    attendance: own?.attendance ?? space?.attendance[day] ?? null,
    peak: own?.peak ?? space?.peak[day] ?? null,
    average: minutes === null || space === undefined ? null : minutes / (space.closes - space.opens),
  }
}

/** Returns the members of a team who came on a day, as the readers recorded them, and all members. */
export function recordedTeamOf(truth: CompanyTruth, teamId: string, date: string) {
  const day = truth.days.indexOf(date)
  const team = truth.teams.find(({ id }) => id === teamId)
  const own = truth.measured.teams.find((measured) => measured.team_id === teamId && measured.day === day)
  return { attendance: own?.attendance ?? team?.attendance[day] ?? null, headcount: team?.headcount[day] ?? null }
}
