/** The only place where the parts of the page meet. */
import './tokens.css';
