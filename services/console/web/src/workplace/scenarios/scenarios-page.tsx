import { Page } from '../../ui/page/page.tsx'

/** The scenarios of the workspace. */
export const ScenariosPage = () => <Page title="Scenarios">{null}</Page>
