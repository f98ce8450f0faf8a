import { Page } from '../../ui/page/page.tsx'

/** Starts a scenario. */
export const NewScenarioPage = () => <Page title="New scenario">{null}</Page>
