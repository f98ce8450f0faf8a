import type { Query } from '@wp/database'
import type { Highs } from 'highs'
import { auditLattice, type Violation } from '../privacy/audit-lattice.ts'
import { findCountedWeeks } from '../store/utilization.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { auditDay } from './published-levels.ts'
import { type PublishedWeek, readPublishedWeek } from './published-week.ts'

export interface AuditedWeek {
  /** The Monday. */
  week: string
  /** Counts that are not 0, and those of them that are withheld. */
  counts: number
  withheld: number
  /** Withheld counts and levels that the others tell, each in words. */
  findings: string[]
}

interface AuditScope {
  workspaceId: string
  /** Local days; `until` is excluded. */
  since?: string | undefined
  until?: string | undefined
  withHours: boolean
}

/**
 * Checks week by week, by linear programs, that no withheld count or level can be computed from those that are shown.
 * @throws Error where counts contradict each other, as while a week is counted again
 */
export async function* auditWeeks(query: Query, highs: Highs, scope: AuditScope): AsyncGenerator<AuditedWeek> {
  const threshold = await readPrivacyThreshold(query, scope.workspaceId)
  for (const week of await findCountedWeeks(query, scope.workspaceId, scope)) {
    const published = await readPublishedWeek(query, { ...scope, threshold }, week)
    const cells = published.lattice.sheets.flatMap(({ spaces, teams }) =>
      [spaces, ...(teams === undefined ? [] : [teams])].flatMap(({ counts, suppressed }) =>
        Array.from(counts, (count, at) => ({ count, isWithheld: suppressed[at] === 1 })).filter(
          ({ count }) => count > 0,
        ),
      ),
    )
    yield {
      week,
      counts: cells.length,
      withheld: cells.filter(({ isWithheld }) => isWithheld).length,
      findings: [
        ...auditLattice(highs, published.lattice, { threshold }).map((violation) => describe(published, violation)),
        ...published.levels.flatMap((day) => auditDay(highs, day, threshold)),
      ],
    }
  }
}

function describe({ names, times }: PublishedWeek, { cell, low, high }: Violation): string {
  const name = cell.of === 'total' ? 'everyone' : (names[cell.of][cell.index] ?? '')
  const place = cell.isRemainder ? `${name}, outside of all that it contains` : name
  return `${place}, ${times[cell.sheet]}: ${low === high ? low : `${low} to ${high}`} people`
}
