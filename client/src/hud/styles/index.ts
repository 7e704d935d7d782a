/** All styles of the HUD, in the order in which they override each other. */

import './base.css';
import './top.css';
import './table.css';
import './flat.css';
import './dock.css';
import './small.css';
import './upright.css';
import './lying.css';
import './roads.css';
import './large.css';
import './panel.css';
