import { Page } from '../../ui/page/page.tsx'

/** A scenario beside its result. */
export const ScenarioPage = () => <Page title="Scenario">{null}</Page>
