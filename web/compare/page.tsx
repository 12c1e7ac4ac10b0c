/** Two to five reviews side by side. */
import { Loading } from '../ui/states.tsx';

/** The page. */
export const ComparePage = () => <Loading />;
