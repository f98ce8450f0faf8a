import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../../session/workspace-context.tsx'
import { longestHorizon } from '../../../solutions/forecasts/new/period.ts'
import { useHistory } from '../../../solutions/forecasts/new/use-history.ts'
import type { Measure } from '../../../solutions/forecasts/run-input.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Radio } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { formatDay } from '../../../ui/format/format-time.ts'
import { useReader } from '../../../ui/format/reader.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import type { Space } from '../space-words.ts'

const [twoWeeks, oneWeek] = [14, 7]

/** Starts a forecast of a space, and says from when on and of whom it can be. */
export function StartForecast({ space, text }: { space: Space; text: string }) {
  const { api, refresh } = useWorkspace()
  const canRun = useCan()('solutions:run')
  const reader = useReader()
  const [chosen, setChosen] = useState<Measure>()
  const history = useHistory(canRun, { space_id: space.id })
  const { days, last, measures = [], countedOnly = [] } = history ?? {}
  const without = countedOnly.map(isolate).join(', ')
  const isOfPeaks = countedOnly.length > 0 || !measures.includes('attendance')
  const measure = chosen ?? (isOfPeaks ? 'peak' : 'attendance')
  const longest = days === undefined ? 0 : longestHorizon(days)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (horizon: number) =>
      api.solutions.startForecastRun({
        body: {
          workplace: {
            space_id: space.id,
            level: space.kind === 'building' ? 'floor' : space.kind,
            measure,
          },
          horizon,
          frequency: 'day',
          timezone: space.effective.timezone,
        },
      }),
    onSuccess: () => refresh('forecasts'),
  })
  return (
    <Stack>
      {text && <p>{text}</p>}
      {error && <ErrorMessage error={error} />}
      {longest >= oneWeek && last !== undefined && (
        <p>It begins after the last counted day, {formatDay(last, reader)}.</p>
      )}
      {longest >= oneWeek && countedOnly.length > 0 && measures.includes('attendance') && (
        <FieldGroup label="The forecast counts">
          <Radio
            checked={measure === 'peak'}
            onChange={() => setChosen('peak')}
            label="People present"
            hint={`At the busiest moment of the day, with ${without}`}
          />
          <Radio
            checked={measure === 'attendance'}
            onChange={() => setChosen('attendance')}
            label="People of a day"
            hint={`Without ${without}: counters and bookings there do not tell who comes`}
          />
        </FieldGroup>
      )}
      {canRun && days === undefined && <Skeleton width="12rem" height="2.125rem" />}
      {longest >= oneWeek && (
        <span>
          {longest >= twoWeeks && (
            <>
              <Button variant="primary" isBusy={isPending} onClick={() => mutate(twoWeeks)}>
                Forecast two weeks
              </Button>{' '}
            </>
          )}
          <Button
            variant={longest >= twoWeeks ? 'default' : 'primary'}
            isBusy={isPending}
            onClick={() => mutate(oneWeek)}
          >
            {longest >= twoWeeks ? 'One week' : 'Forecast one week'}
          </Button>
        </span>
      )}
      {days !== undefined && longest < oneWeek && (
        <p>
          A forecast needs 11 weeks of history, and {formatCount(days, 'day')} are counted so far. Add an older file, or
          come back later.
        </p>
      )}
    </Stack>
  )
}
