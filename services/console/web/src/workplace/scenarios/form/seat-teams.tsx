import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Link } from '../../../ui/button/button-link.tsx'
import { Checkbox } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { formatCount, formatNumber } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Callout, ErrorMessage } from '../../../ui/message/message.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import styles from '../scenarios.module.css'
import type { Team, Workplace } from '../workplace.ts'

/** Teams from which on one click chooses all. */
const minForAll = 4

/**
 * Asks which of the teams without a home sit in a site or building, and stores it for all at once. Those whose people
 * are there on most days are chosen. Scenarios leave the others out; without any, they plan people by their floors.
 */
export function SeatTeams({ spaceId, workplace }: { spaceId: string; workplace: Workplace }) {
  const { api, refresh } = useWorkspace()
  const canWrite = useCan()('solutions:write')
  const { buildings, nameOf, isUsuallyIn } = workplace
  const teams = workplace.unseatedTeams(spaceId)
  const isEmpty = !workplace.hasTeamsIn(spaceId)
  const isOnly = isEmpty && buildings.filter(({ kind }) => kind === 'building').length < 2
  const usual = teams.filter((team) => isUsuallyIn(team, spaceId))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set((isOnly ? teams : usual).map(({ id }) => id)))
  const seated = teams.filter(({ id }) => chosen.has(id))
  const seat = useMutation({
    mutationFn: async () => {
      for (const team of seated) {
        const home = usual.includes(team) ? team.usual_space_id : spaceId
        await api.solutions.updateTeam({ params: { id: team.id }, body: { home_space_id: home } })
      }
    },
    onSuccess: () => showSuccess(`${formatCount(seated.length, 'team')} now at home in ${isolate(nameOf(spaceId))}`),
    onSettled: () => Promise.all(['teams', 'utilization', 'scenarios'].map((key) => refresh(key))),
  })
  if (!isEmpty && (teams.length === 0 || !canWrite)) return null
  if (teams.length === 0 || !canWrite)
    return (
      <Callout title="People are planned by their floors">
        No team sits here yet, so that those who are counted on a floor today may sit on any other.{' '}
        {workplace.teams.length === 0
          ? 'To keep teams together, add a list of people with their teams. '
          : 'To keep a team together, say on its page where it usually sits. '}
        <Link to="/$workspaceId/teams">Open the teams</Link>
      </Callout>
    )
  const choose = (id: string, isChosen: boolean) => {
    const rest = [...chosen].filter((other) => other !== id)
    setChosen(new Set(isChosen ? [...rest, id] : rest))
  }
  return (
    <Callout title={isEmpty ? 'Which teams sit here?' : 'Do more teams sit here?'}>
      {isEmpty
        ? `No team is at home in ${isolate(nameOf(spaceId))} yet, so that people are planned by their floors. Teams that sit here stay together.`
        : 'These are at home nowhere, and the scenario leaves them out.'}
      {usual.length > 0 && ' Chosen are those whose people were counted here on most of their days.'}
      <FieldGroup label="Teams without a home">
        <div className={styles.teams}>
          {teams.length >= minForAll && (
            <Checkbox
              label={`All ${formatNumber(teams.length)}`}
              checked={seated.length === teams.length}
              onChange={(event) => setChosen(new Set(event.target.checked ? teams.map(({ id }) => id) : []))}
            />
          )}
          {teams.map((team) => (
            <Checkbox
              key={team.id}
              label={labelOf(team, nameOf, spaceId)}
              checked={chosen.has(team.id)}
              onChange={(event) => choose(team.id, event.target.checked)}
            />
          ))}
        </div>
      </FieldGroup>
      {seat.error && <ErrorMessage error={seat.error} />}
      <Button size="small" isBusy={seat.isPending} disabled={seated.length === 0} onClick={() => seat.mutate()}>
        {seated.length === 0 ? 'Choose teams' : `Seat ${formatCount(seated.length, 'team')} here`}
      </Button>
    </Callout>
  )
}

const labelOf = (
  { name, headcount, usual_space_id: usual }: Team,
  nameOf: Workplace['nameOf'],
  within: string,
): string =>
  [
    isolate(name),
    ...(headcount === null ? [] : [`${formatNumber(headcount)} people`]),
    ...(usual === null ? [] : [`usually ${isolate(nameOf(usual, within))}`]),
  ].join(', ')
