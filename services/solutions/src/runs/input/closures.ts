import { bodyPointer, type FieldError, validationProblem } from '@wp/contracts'
import type { InputSeries } from '../../forecast/index.ts'
import { listNames } from '../quote-value.ts'
import { groupKeyOf, type KeyParameters } from './group-key.ts'

/** The parameters of a run that concern closures. */
interface ClosureParameters extends KeyParameters {
  closures?: readonly { dates: readonly string[]; groups?: readonly string[] | undefined }[] | undefined
}

export function closedDatesOf(parameters: ClosureParameters, key: InputSeries['key']): string[] {
  const { closures = [] } = parameters
  const groupKey = groupKeyOf(key, parameters)
  return closures.flatMap(({ dates, groups }) => (groups?.includes(groupKey) === false ? [] : dates))
}

/**
 * Checks that each group of a closure is one of the inline series.
 * @throws Problem `validation_failed`
 */
export function checkClosedGroups({ closures = [] }: ClosureParameters, series: readonly InputSeries[]): void {
  const known = series.map(({ key }) => groupKeyOf(key))
  const errors = closures.flatMap(({ groups = [] }, closure) =>
    groups.flatMap((name, index): FieldError[] =>
      known.includes(name)
        ? []
        : [
            {
              pointer: bodyPointer(['closures', closure, 'groups', index]),
              detail: `"${name}" is not a group key of a series. The group keys are ${listNames(known)}`,
            },
          ],
    ),
  )
  if (errors.length > 0) throw validationProblem(errors)
}
