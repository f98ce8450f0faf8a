import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { describePeriod } from './forecast-words.ts'
import { type ForecastRun, type RunInput, runInput } from './run-input.ts'
import type { Names } from './use-names.ts'

/** Returns the name of what a run forecasts: `Harbour House, by floor, 30 days`. */
export function runName(run: Pick<ForecastRun, 'input'>, names: Names): string {
  const input = runInput(run)
  return [subjectOf(input, names), divisionOf(input), describePeriod(input.horizon, input.frequency)]
    .filter(Boolean)
    .join(', ')
}

/**
 * Returns the id of the building, teams or file of a run; undefined for all buildings or teams, and for pasted rows.
 */
export function subjectIdOf(run: Pick<ForecastRun, 'input'>): string | undefined {
  const { workplace, data_source_id: source } = runInput(run)
  return workplace === undefined ? source : (workplace.team_id ?? workplace.space_id)
}

/** Returns the name of the building, teams or file of a run. */
function subjectOf({ workplace, data_source_id: source, series }: RunInput, names: Names): string {
  if (workplace !== undefined) {
    const { space_id: space, team_id: team, level } = workplace
    if (level === 'team') return team === undefined ? 'All teams' : isolate(names.get(team) ?? 'A team')
    return space === undefined ? 'All buildings' : isolate(names.get(space) ?? 'A building')
  }
  if (source === undefined)
    return series === undefined ? 'Pasted rows' : formatCount(series.length, 'pasted series', 'pasted series')
  return isolate(names.get(source) ?? 'A file')
}

function divisionOf({ workplace, group_by: groups = [], value_field: value }: RunInput): string {
  if (workplace !== undefined) return workplace.level === 'team' ? '' : `by ${workplace.level}`
  const columns = [...groups, ...(Array.isArray(value) && value.length > 1 ? ['column'] : [])]
  return columns.length === 0 ? '' : `by ${columns.join(' and ')}`
}
