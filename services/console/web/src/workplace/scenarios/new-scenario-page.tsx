import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { MissingScopeNotice } from '../../session/missing-scope-notice.tsx'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { draftOf, emptyDraft, type Preset, presetDraft, type ScenarioDraft } from './form/scenario-draft.ts'
import { ScenarioForm } from './form/scenario-form.tsx'
import styles from './scenarios.module.css'
import { useWorkplace } from './use-workplace.ts'
import { plannedSpace, type ScenarioDetail, type Workplace } from './workplace.ts'

const route = getRouteApi('/$workspaceId/scenarios/new')

/** Starts a scenario, of a building that a link names, or with what another scenario asked. */
export function NewScenarioPage() {
  const { from } = route.useSearch()
  const { data: workplace, error, refetch } = useWorkplace()
  const former = useApiQuery(
    ['scenarios', 'one', from],
    (api, options) => api.solutions.getScenario({ params: { id: from ?? '' } }, options),
    { enabled: from !== undefined },
  )
  const page = {
    title: 'New scenario',
    description: 'A scenario asks what if, and changes nothing.',
    parent: { label: 'Scenarios', link: { to: '/$workspaceId/scenarios', search: {} } },
  } as const
  if (workplace === undefined || (from !== undefined && former.data === undefined))
    return <UnloadedPage {...page} error={error ?? former.error} refetch={refetch} height="32rem" />
  return (
    <Page {...page}>
      <MissingScopeNotice action="run scenarios" scope="solutions:run" />
      {workplace.buildings.length === 0 ? <NoBuildings /> : <NewScenario workplace={workplace} former={former.data} />}
    </Page>
  )
}

const presets: readonly { preset: Preset; title: string; text: string }[] = [
  { preset: 'find', title: 'Find floors to close', text: 'Which floors are not needed, on which days' },
  { preset: 'friday', title: 'Close one floor on Fridays', text: 'Choose the floor, and see who moves' },
  { preset: 'growth', title: '10 % more people', text: 'Are the floors of today enough' },
]

function NewScenario({ workplace, former }: { workplace: Workplace; former: ScenarioDetail | undefined }) {
  const { space, forecast } = route.useSearch()
  const can = useCan()
  const [draft, setDraft] = useState<ScenarioDraft>(() =>
    former === undefined
      ? {
          ...emptyDraft(plannedSpace(workplace, space) ?? workplace.buildings[0]?.id ?? null),
          forecastId: forecast ?? null,
        }
      : draftOf(former, workplace),
  )
  const [chosen, setChosen] = useState<Preset | undefined>(former === undefined ? 'find' : undefined)
  if (!can('solutions:run')) return null
  return (
    <div className={styles.beside}>
      <Card title="What if">
        <ScenarioForm
          draft={draft}
          workplace={workplace}
          onChange={setDraft}
          submitLabel="Run"
          needsClosedFloor={chosen === 'friday'}
        />
      </Card>
      <Stack>
        <fieldset className={styles.presets} aria-label="Begin with">
          {presets.map(({ preset, title, text }) => (
            <button
              key={preset}
              type="button"
              className={`choice-button ${styles.preset}`}
              aria-pressed={chosen === preset}
              onClick={() => {
                setChosen(preset)
                setDraft({ ...presetDraft(preset, draft.spaceId), forecastId: draft.forecastId })
              }}
            >
              <strong>{title}</strong>
              <span>{text}</span>
            </button>
          ))}
        </fieldset>
        <Card title="What you get">
          <ul className={styles.bullets}>
            <li>Which floors can close on which days, and what that saves in a year, line by line.</li>
            <li>Which teams sit where, and how many people move.</li>
            <li>On how many days someone would find no place.</li>
            <li>A report for the board, as PDF and Excel.</li>
          </ul>
        </Card>
      </Stack>
    </div>
  )
}

function NoBuildings() {
  return (
    <EmptyState
      icon="building"
      title="No buildings with floors yet"
      actions={
        <ButtonLink variant="primary" to="/$workspaceId/buildings">
          Open buildings
        </ButtonLink>
      }
    >
      A scenario plans the floors of a building: add them with their places and costs first.
    </EmptyState>
  )
}
