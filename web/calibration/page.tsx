/** Where people and machine differ. */
import { Loading } from '../ui/states.tsx';

/** The page. */
export const CalibrationPage = () => <Loading />;
