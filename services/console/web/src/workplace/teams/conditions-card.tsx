import { useState } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { formatCount, formatPercent } from '../../ui/format/format.ts'
import { Card } from '../../ui/page/page.tsx'
import { DefinitionList } from '../../ui/values/values.tsx'
import { useSpaces, useTeams } from '../buildings/team-figures/names.ts'
import type { Team } from '../buildings/team-figures/team-words.ts'
import { TeamDrawer } from './team-form.tsx'

/** The places of a team, and the conditions that scenarios respect. */
export function ConditionsCard({ team }: { team: Team }) {
  const spaces = useSpaces([
    ...[team.home_space_id ?? team.usual_space_id].filter((id) => id !== null),
    ...team.fixed_space_ids,
    ...team.excluded_space_ids,
  ])
  const teams = useTeams(team.near)
  const [isEditing, setEditing] = useState(false)
  const canWrite = useCan()('solutions:write')
  const { max_floors: floors, contingency } = team
  return (
    <Card
      title="Where it sits"
      description="Scenarios respect this."
      actions={
        canWrite && (
          <Button size="small" onClick={() => setEditing(true)}>
            Change
          </Button>
        )
      }
    >
      <TeamDrawer isOpen={isEditing} team={team} onDone={() => setEditing(false)} />
      <DefinitionList
        items={[
          ['Home', team.home_space_id ? <Places ids={[team.home_space_id]} names={spaces} /> : 'Not stated'],
          team.home_space_id === null &&
            team.usual_space_id !== null && [
              'Usually in',
              <Places key="usual" ids={[team.usual_space_id]} names={spaces} />,
            ],
          [
            'May sit in',
            team.fixed_space_ids.length > 0 ? <Places ids={team.fixed_space_ids} names={spaces} /> : 'Any floor',
          ],
          team.excluded_space_ids.length > 0 && [
            'Never in',
            <Places key="excluded" ids={team.excluded_space_ids} names={spaces} />,
          ],
          [
            'Close to',
            team.near.length > 0 ? team.near.map((id) => teams.get(id) ?? '…').join(', ') : 'No team in particular',
          ],
          ['On at most', floors === null ? 'Any number of floors' : formatCount(floors, 'floor')],
          ['Places kept free', contingency === null ? 'None' : `${formatPercent(contingency)} of those it needs`],
        ]}
      />
    </Card>
  )
}

function Places({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, string> }) {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link to="/$workspaceId/buildings/$spaceId" params={{ spaceId: id }}>
        {names.get(id) ?? '…'}
      </Link>
    </span>
  ))
}
