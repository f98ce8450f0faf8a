import { Page } from '../../ui/page/page.tsx'

/** The sites and buildings of the workspace. */
export const BuildingsPage = () => <Page title="Buildings">{null}</Page>
