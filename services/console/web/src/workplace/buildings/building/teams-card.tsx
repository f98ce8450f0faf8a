import { useApiQuery } from '../../../session/workspace-context.tsx'
import { ButtonLink, Link } from '../../../ui/button/button-link.tsx'
import { Unloaded } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import type { Space } from '../space-words.ts'
import { TeamTable } from '../team-figures/team-table.tsx'

const shown = 100

/** The teams that are at home in a space or in a space in it. */
export function TeamsCard({ space }: { space: Space }) {
  const { data, error, refetch } = useApiQuery(['teams', 'at', space.id], (api, options) =>
    api.solutions.listTeams({ query: { home_space_id: space.id, limit: shown } }, options),
  )
  return (
    <Card
      title="Teams at home here"
      isFlush
      actions={
        <ButtonLink size="small" to="/$workspaceId/teams">
          All teams
        </ButtonLink>
      }
    >
      {error || data?.items.length === 0 || data === undefined ? (
        <div style={{ padding: 'var(--space-4)', minHeight: '6rem' }}>
          {error || data === undefined ? (
            <Unloaded error={error} refetch={refetch} height="5rem" />
          ) : (
            <p>
              No team has its home here.{' '}
              <Link to="/$workspaceId/scenarios/new" search={{ space: space.id }}>
                A scenario proposes homes
              </Link>{' '}
              for the teams that are usually here, and a team’s page says where it usually sits.
            </p>
          )}
        </div>
      ) : (
        <TeamTable page={{ data, error, refetch }} isCompact />
      )}
    </Card>
  )
}
