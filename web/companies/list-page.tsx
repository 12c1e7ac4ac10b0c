/** The companies that decks are of. */
import { Loading } from '../ui/states.tsx';

/** The page. */
export const CompaniesPage = () => <Loading />;
