import { Page } from '../../ui/page/page.tsx'

/** The teams of the workspace. */
export const TeamsPage = () => <Page title="Teams">{null}</Page>
